import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function removeSubscriber(eventId: number, subscriptionId: number): Promise<void> {
  const params = { path: { eventId, subscriptionId } };
  await client.DELETE("/v1/events/{eventId}/subscriptions/{subscriptionId}", { params });
}

export function useRemoveSubscriber(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (subscriptionId: number) => removeSubscriber(eventId, subscriptionId),
    onSuccess: () => tellDone("They are off the list."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: eventsKeys.all }),
  });
}
