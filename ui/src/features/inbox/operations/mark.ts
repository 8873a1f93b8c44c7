import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { answered, client } from "@/kit/client";
import { inboxKeys } from "@/kit/matter/keys";
import { notificationSchema, type Notification } from "@/kit/matter/schemas";
import type { Page } from "@/kit/shapes";
import { tellFailed } from "@/kit/tell";

export type Mark = "read" | "unread" | "archive" | "unarchive";

async function mark(id: string, as: Mark): Promise<Notification> {
  const reply = await answered(client.POST(`/v1/inbox/{id}/${as}`, { params: { path: { id } } }));
  return notificationSchema.parse(reply).data;
}

/** As it will be: where it is shown, it changes at once. What is shared is read by one for all. */
export function marked(notification: Notification, as: Mark, now: string): Notification {
  switch (as) {
    case "read":
      return { ...notification, readAt: now, readBy: notification.shared ? me(notification) : null };
    case "unread":
      return { ...notification, readAt: null, readBy: null };
    case "archive":
      return { ...notification, archivedAt: now };
    case "unarchive":
      return { ...notification, archivedAt: null };
  }
}

function me({ personId }: Notification) {
  return { id: personId, name: null };
}

export function useMark() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, as }: { id: string; as: Mark }) => mark(id, as),
    onMutate: async ({ id, as }) => {
      await queries.cancelQueries({ queryKey: inboxKeys.lists() });
      const before = queries.getQueriesData({ queryKey: inboxKeys.lists() });
      show(queries, id, as);
      return before;
    },
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKeys.all }),
  });
}

function show(queries: QueryClient, id: string, as: Mark): void {
  const now = new Date().toISOString();
  queries.setQueriesData<Page<Notification>>(
    { queryKey: inboxKeys.lists() },
    (page) => page && { ...page, data: page.data.map((one) => (one.id === id ? marked(one, as, now) : one)) },
  );
}
