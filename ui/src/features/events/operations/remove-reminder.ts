import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import type { Reminder } from "@/features/events/schemas";
import { client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellFailed } from "@/kit/tell";

async function removeReminder(eventId: number, id: string): Promise<void> {
  await client.DELETE("/v1/events/{eventId}/reminders/{id}", { params: { path: { eventId, id } } });
}

/** One at a time of its own: gone at once, and back where the server does not agree. */
export function useRemoveReminder(eventId: number) {
  const queries = useQueryClient();
  const key = eventsKeys.myReminders(eventId);
  return useMutation({
    mutationFn: (id: string) => removeReminder(eventId, id),
    onMutate: async (id) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Page<Reminder>>(key);
      queries.setQueryData<Page<Reminder>>(
        key,
        (page) => page && { ...page, data: page.data.filter((reminder) => reminder.id !== id) },
      );
      return before;
    },
    onError: (error, _, before) => {
      queries.setQueryData(key, before);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: eventsKeys.one(eventId) }),
  });
}
