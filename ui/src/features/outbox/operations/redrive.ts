import { useMutation, useQueryClient } from "@tanstack/react-query";
import { outboxKeys } from "@/features/outbox/keys";
import { redrivenSchema } from "@/features/outbox/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

/** All dead letters, or those of a kind; the server takes them in portions until none is left. */
async function redrive(kind: string | undefined): Promise<number> {
  let total = 0;
  for (;;) {
    const body = kind === undefined ? {} : { kind };
    const { redriven, more } = redrivenSchema.parse(
      await answered(client.POST("/v1/outbox/redrive", { body })),
    ).data;
    total += redriven;
    if (!more) return total;
  }
}

export function useRedrive() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: redrive,
    onSuccess: (amount) => tellDone(amount === 1 ? "One is tried again." : `${amount} are tried again.`),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: outboxKeys.all }),
  });
}
