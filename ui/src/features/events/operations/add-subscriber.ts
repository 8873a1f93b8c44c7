import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { subscriptionSchema, type Subscription } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { tellDone } from "@/kit/tell";

async function addSubscriber(eventId: number, personId: string): Promise<Subscription> {
  const params = { path: { eventId } };
  const body = { personId };
  const reply = await answered(client.POST("/v1/events/{eventId}/subscriptions", { params, body }));
  return subscriptionSchema.parse(reply).data;
}

/** Somebody else joins, by an admin. What is refused is for the form to show. */
export function useAddSubscriber(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (personId: string) => addSubscriber(eventId, personId),
    onSuccess: ({ person }) => {
      tellDone(`${person} has joined.`);
      return queries.invalidateQueries({ queryKey: eventsKeys.all });
    },
  });
}
