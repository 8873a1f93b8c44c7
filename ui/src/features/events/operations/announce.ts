import { useMutation, useQueryClient } from "@tanstack/react-query";
import { messagesKeys } from "@/features/events/keys";
import { announcedSchema, type Level } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { tellDone } from "@/kit/tell";

export interface Announcement {
  title: string;
  body: string;
  level: Level;
  /** Left out, it is for everybody. */
  subscriptionIds?: number[];
}

async function announce(eventId: number, body: Announcement): Promise<string> {
  const params = { path: { eventId } };
  const reply = await answered(client.POST("/v1/events/{eventId}/announcements", { params, body }));
  return announcedSchema.parse(reply).data.factId;
}

/** Recorded at once, and told by the event's process. What is refused is for the form to show. */
export function useAnnounce(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (announcement: Announcement) => announce(eventId, announcement),
    onSuccess: () => {
      tellDone("It is on its way. It appears under “What was said”.");
      return queries.invalidateQueries({ queryKey: messagesKeys.all(eventId) });
    },
  });
}
