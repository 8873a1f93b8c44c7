import { useQuery } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { remindersSchema, type Reminder } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import type { Page } from "@/kit/shapes";

const MOST = 100;
const SOON = 2_000;
const LONGEST = 3_600_000;

async function listMyReminders(eventId: number): Promise<Page<Reminder>> {
  const params = { path: { eventId }, query: { limit: MOST } };
  return remindersSchema.parse(await answered(client.GET("/v1/events/{eventId}/reminders", { params })));
}

/** Those to come, the next one first. They move with the event; one that has fired is gone when its time is over. */
export function useMyReminders(eventId: number) {
  return useQuery({
    queryKey: eventsKeys.myReminders(eventId),
    queryFn: () => listMyReminders(eventId),
    refetchInterval: ({ state }) => pause(state.data?.data[0]?.dueAt),
  });
}

/** Nobody is told that a reminder has fired; so one asks when the next one is due. */
function pause(next: string | undefined): number | false {
  if (next === undefined) return false;
  return Math.min(LONGEST, Math.max(SOON, new Date(next).getTime() - Date.now() + SOON));
}
