import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import type { Choice } from "@/features/events/logic/choice";
import { selectorsOf } from "@/features/events/logic/choice";
import { subscriptionSchema, type Subscription } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

async function changeMySubscription(eventId: number, { offsets, places }: Choice): Promise<Subscription> {
  const params = { path: { eventId } };
  const body = sent({ reminderOffsets: offsets, selectors: selectorsOf(places) });
  const reply = await answered(client.PATCH("/v1/events/{eventId}/subscriptions/me", { params, body }));
  return subscriptionSchema.parse(reply).data;
}

/** What is refused is for the form to show. */
export function useChangeMySubscription(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (choice: Choice) => changeMySubscription(eventId, choice),
    onSuccess: (mine) => {
      queries.setQueryData(eventsKeys.mySubscription(eventId), mine);
      tellDone("Saved. It counts from now on.");
      return queries.invalidateQueries({ queryKey: eventsKeys.one(eventId) });
    },
  });
}
