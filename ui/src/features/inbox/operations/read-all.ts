import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { inboxKeys } from "@/kit/matter/keys";
import { envelope, reads, sent, type Documents } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";
import { amountOf } from "@/kit/words";

const readAllSchema = envelope(
  reads<Documents["ReadAllDocument"]>()(z.object({ read: z.number(), unread: z.number() })),
);

async function readAll(upTo: string | undefined): Promise<number> {
  const body = sent(upTo === undefined ? {} : { upTo });
  return readAllSchema.parse(await answered(client.POST("/v1/inbox/read-all", { body }))).data.read;
}

/** All up to the newest one that was seen; what has come since stays unread. */
export function useReadAll() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: readAll,
    onSuccess: (read) => tellDone(`${amountOf(read, "notification is", "notifications are")} read now.`),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKeys.all }),
  });
}
