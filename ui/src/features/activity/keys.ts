import type {
  DeliveriesFilter,
  FactsFilter,
  NoticesFilter,
  WhyQuestion,
} from "@/features/activity/addresses";

/** Each begins with the resource whose movements make it stale. */
export const factKeys = {
  all: ["facts"] as const,
  list: (filter: FactsFilter) => [...factKeys.all, "list", filter] as const,
  detail: (id: string) => [...factKeys.all, "detail", id] as const,
};

export const deliveryKeys = {
  all: ["deliveries"] as const,
  lists: () => [...deliveryKeys.all, "list"] as const,
  list: (filter: DeliveriesFilter) => [...deliveryKeys.lists(), filter] as const,
  detail: (id: string) => [...deliveryKeys.all, "detail", id] as const,
  trace: (factId: string) => [...deliveryKeys.all, "trace", factId] as const,
  why: (question: WhyQuestion) => [...deliveryKeys.all, "why", question] as const,
};

export const noticeKeys = {
  all: ["notices"] as const,
  list: (filter: NoticesFilter) => [...noticeKeys.all, "list", filter] as const,
  detail: (id: string) => [...noticeKeys.all, "detail", id] as const,
};

export const providerKeys = { names: () => ["providers", "names"] as const };
export const categoryKeys = { names: () => ["categories", "names"] as const };
