import type { Agency, Restaurant } from "@/features/reservations/schemas";

/** A restaurant as it is being written. */
export interface RestaurantDraft {
  name: string;
  externalId: string;
  timezone: string;
  locale: string;
  /** Whether admins are told where nobody acts. */
  escalates: boolean;
  minutes: number | string;
  times: number | string;
}

const MINUTES = 15;
const TIMES = 2;

export function restaurantDraft(restaurant: Restaurant | undefined, zone: string): RestaurantDraft {
  const after = restaurant === undefined ? MINUTES : restaurant.escalateAfterMinutes;
  return {
    name: restaurant?.name ?? "",
    externalId: restaurant?.externalId ?? "",
    timezone: restaurant?.timezone ?? zone,
    locale: restaurant?.locale ?? "",
    escalates: after !== null,
    minutes: after ?? MINUTES,
    times: restaurant?.escalateTimes ?? TIMES,
  };
}

/** What is sent. An external id that is left empty is made up, or stays. */
export function restaurantBody(draft: RestaurantDraft) {
  const externalId = draft.externalId.trim();
  return {
    name: draft.name.trim(),
    timezone: draft.timezone,
    locale: draft.locale.trim() || null,
    escalateAfterMinutes: draft.escalates ? Number(draft.minutes) : null,
    escalateTimes: Number(draft.times),
    ...(externalId === "" ? {} : { externalId }),
  };
}

export interface AgencyDraft {
  name: string;
  externalId: string;
}

export function agencyDraft(agency: Agency | undefined): AgencyDraft {
  return { name: agency?.name ?? "", externalId: agency?.externalId ?? "" };
}

export function agencyBody(draft: AgencyDraft) {
  const externalId = draft.externalId.trim();
  return { name: draft.name.trim(), ...(externalId === "" ? {} : { externalId }) };
}

const WEEK = 7 * 24 * 60;
const MOST_TIMES = 10;

export function minutesFault({ escalates, minutes }: RestaurantDraft): string | null {
  if (!escalates || isWhole(minutes, WEEK)) return null;
  return "Minutes, from 1 to a week of them.";
}

export function timesFault({ escalates, times }: RestaurantDraft): string | null {
  return !escalates || isWhole(times, MOST_TIMES) ? null : `From 1 to ${MOST_TIMES} times.`;
}

function isWhole(value: number | string, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}
