import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { envelope, reads, type Documents } from "@/kit/shapes";

const triedSchema = envelope(reads<Documents["TriedDocument"]>()(z.object({ deliveryId: z.string() })));

export type TestSend = { providerId: string } & Documents["ProviderTrialBody"];

async function sendTest({ providerId, ...body }: TestSend): Promise<string> {
  const params = { path: { id: providerId } };
  return triedSchema.parse(await answered(client.POST("/v1/providers/{id}/test", { params, body }))).data
    .deliveryId;
}

/** Goes out for real, to one person, through one provider. Brings the delivery's id. */
export function useSendTest() {
  return useMutation({ mutationFn: sendTest });
}
