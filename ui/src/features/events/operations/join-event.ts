import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { subscriptionSchema, type Subscription } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

async function joinEvent(eventId: number): Promise<Subscription> {
  const params = { path: { eventId } };
  const reply = await answered(client.POST("/v1/events/{eventId}/subscriptions", { params, body: {} }));
  return subscriptionSchema.parse(reply).data;
}

export function useJoinEvent(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => joinEvent(eventId),
    onSuccess: (mine) => queries.setQueryData(eventsKeys.mySubscription(eventId), mine),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: eventsKeys.all }),
  });
}
