import type { InboxFilter } from "@/features/inbox/schemas";

export const inboxKeys = {
  all: ["inbox"] as const,
  lists: () => [...inboxKeys.all, "list"] as const,
  list: (filter: InboxFilter) => [...inboxKeys.lists(), filter] as const,
};
