import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { reminderSchema, type Reminder } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";
import { fully } from "@/kit/time";

/** In a while, or at a time. */
export type Wish = { afterSeconds: number } | { at: string };

async function remindMe(eventId: number, body: Wish): Promise<Reminder> {
  const params = { path: { eventId } };
  return reminderSchema.parse(await answered(client.POST("/v1/events/{eventId}/remind-me", { params, body })))
    .data;
}

export function useRemindMe(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish: Wish) => remindMe(eventId, wish),
    onSuccess: ({ dueAt }) => tellDone(`You will be reminded: ${fully(dueAt)}.`),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: eventsKeys.one(eventId) }),
  });
}
