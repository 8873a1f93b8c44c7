import { useMutation, useQueryClient } from "@tanstack/react-query";
import { historyKeys } from "@/features/reservations/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function retry(id: string): Promise<void> {
  await client.POST("/v1/outbox/{id}/retry", { params: { path: { id } } });
}

/** Tries again what a listener gave up, with all its attempts. */
export function useRetryListener(reservationId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: retry,
    onSuccess: () => tellDone("It is tried again now."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: historyKeys.of(reservationId) }),
  });
}
