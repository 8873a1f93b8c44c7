import type { EventsFilter, ResultStatus } from "@/features/events/schemas";

export const eventsKeys = {
  all: ["events"] as const,
  lists: () => [...eventsKeys.all, "list"] as const,
  list: (filter: EventsFilter) => [...eventsKeys.lists(), filter] as const,
  one: (id: number) => [...eventsKeys.all, id] as const,
  detail: (id: number) => [...eventsKeys.one(id), "detail"] as const,
  mySubscription: (id: number) => [...eventsKeys.one(id), "mine"] as const,
  myReminders: (id: number) => [...eventsKeys.one(id), "reminders"] as const,
  subscribers: (id: number, cursor?: string) => [...eventsKeys.one(id), "subscribers", cursor] as const,
  everySubscriber: (id: number) => [...eventsKeys.one(id), "every-subscriber"] as const,
  process: (id: number) => [...eventsKeys.one(id), "process"] as const,
};

/** What was said moves by itself, as deliveries do. */
export const messagesKeys = {
  all: (event: number) => ["deliveries", "of-event", event] as const,
  list: (event: number, cursor?: string) => [...messagesKeys.all(event), "list", cursor] as const,
  totals: (event: number, id: string) => [...messagesKeys.all(event), "totals", id] as const,
  results: (event: number, id: string, status?: ResultStatus, cursor?: string) =>
    [...messagesKeys.all(event), "results", id, status, cursor] as const,
};

export const feedKeys = { mine: ["calendar", "mine"] as const };
export const integrationsKeys = { choice: ["integrations", "choice"] as const };
