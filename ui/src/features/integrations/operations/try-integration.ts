import { useMutation } from "@tanstack/react-query";
import { triedSchema } from "@/features/integrations/schemas";
import { answered, client } from "@/kit/client";

async function tryIntegration(id: string): Promise<string> {
  const params = { path: { id } };
  return triedSchema.parse(await answered(client.POST("/v1/integrations/{id}/test", { params }))).data
    .deliveryId;
}

/** Goes out for real. Brings the delivery's id. */
export function useTryIntegration() {
  return useMutation({ mutationFn: tryIntegration });
}
