import type { OutboxFilter } from "@/features/outbox/schemas";

export const outboxKeys = {
  all: ["outbox"] as const,
  lists: () => [...outboxKeys.all, "list"] as const,
  list: (filter: OutboxFilter) => [...outboxKeys.lists(), filter] as const,
  detail: (id: string) => [...outboxKeys.all, "detail", id] as const,
  stats: () => [...outboxKeys.all, "stats"] as const,
};
