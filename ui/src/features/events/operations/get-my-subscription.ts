import { useQuery } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { subscriptionSchema, type Subscription } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";

async function getMySubscription(eventId: number): Promise<Subscription> {
  const params = { path: { eventId } };
  const reply = await answered(client.GET("/v1/events/{eventId}/subscriptions/me", { params }));
  return subscriptionSchema.parse(reply).data;
}

/** For who has joined. */
export function useMySubscription(eventId: number) {
  return useQuery({
    queryKey: eventsKeys.mySubscription(eventId),
    queryFn: () => getMySubscription(eventId),
  });
}
