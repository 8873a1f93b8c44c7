import type { ReservationsFilter } from "@/features/reservations/searches";

/** The server names `reservations` when reservations, restaurants or agencies change. */
export const reservationsKeys = {
  all: ["reservations"] as const,
  lists: () => [...reservationsKeys.all, "list"] as const,
  list: (filter: ReservationsFilter) => [...reservationsKeys.lists(), filter] as const,
  one: (id: number) => [...reservationsKeys.all, "one", id] as const,
};

export const restaurantsKeys = {
  all: [...reservationsKeys.all, "restaurants"] as const,
  page: (cursor?: string) => [...restaurantsKeys.all, "page", cursor ?? null] as const,
  every: () => [...restaurantsKeys.all, "every"] as const,
  one: (id: number) => [...restaurantsKeys.all, "one", id] as const,
};

export const agenciesKeys = {
  all: [...reservationsKeys.all, "agencies"] as const,
  page: (cursor?: string) => [...agenciesKeys.all, "page", cursor ?? null] as const,
  every: () => [...agenciesKeys.all, "every"] as const,
  one: (id: number) => [...agenciesKeys.all, "one", id] as const,
};

/** What listeners did, and what was sent, moves by itself, as deliveries do. */
export const historyKeys = { of: (id: number) => ["deliveries", "of-reservation", id] as const };

export const usualKeys = { all: [...reservationsKeys.all, "usual-channels"] as const };

export const meKey = ["people", "me"] as const;
