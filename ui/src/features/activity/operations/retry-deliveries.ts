import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deliveryKeys } from "@/features/activity/keys";
import { retriedSchema, type Delivery } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import { given } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

/** Which failed ones: all where nothing is said. */
export interface RetryMany {
  provider?: string | undefined;
  channel?: Delivery["channel"] | undefined;
  error?: string | undefined;
  since?: string | undefined;
}

/** The server takes them in portions until none is left. */
async function retryDeliveries(wanted: RetryMany): Promise<number> {
  const body = given(wanted);
  let total = 0;
  for (;;) {
    const { retried, more } = retriedSchema.parse(
      await answered(client.POST("/v1/deliveries/retry", { body })),
    ).data;
    total += retried;
    if (!more) return total;
  }
}

export function useRetryDeliveries() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: retryDeliveries,
    onSuccess: (amount) => tellDone(amount === 1 ? "One is sent again." : `${amount} are sent again.`),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: deliveryKeys.all }),
  });
}
