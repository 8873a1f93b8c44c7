import type { Status } from "@/features/reservations/searches";
import type { Restaurant } from "@/features/reservations/schemas";
import { amountOf } from "@/kit/words";

const FACTS: Record<string, string> = {
  "reservation.requested": "Requested",
  "reservation.confirmed": "Confirmed",
  "reservation.rejected": "Rejected",
  "reservation.postponed": "Another time proposed",
  "reservation.cancelled": "Cancelled",
  "reservation.reopened": "Taken up again",
};

/** A fact as one says it; of a type that is not known here, its type. */
export function factInWords(type: string): string {
  return FACTS[type] ?? type;
}

const LISTENERS: Record<string, string> = {
  "reservations.admin": "Admins",
  "reservations.restaurant": "Restaurant",
  "reservations.customer": "Customer",
  "reservations.agency": "Agency",
  rules: "Your rules",
};

/** For whom a listener speaks; of one that is not known here, its name. */
export function listenerInWords(listener: string): string {
  return LISTENERS[listener] ?? listener;
}

export const statusWords: Record<Status, string> = {
  requested: "requested",
  postponed: "other time proposed",
  confirmed: "confirmed",
  rejected: "rejected",
  cancelled: "cancelled",
};

/** Whether something is still to be decided. */
export function isOpen(status: Status): boolean {
  return status === "requested" || status === "postponed";
}

const TYPES: Record<string, string> = {
  CUSTOMER: "Customers",
  RESTAURANT_USER: "Restaurant staff",
  ADMIN_USER: "Admins",
  AGENCY_USER: "Agency staff",
};

export function userTypeInWords(type: string): string {
  return TYPES[type] ?? type;
}

/** When admins hear that nobody acts. */
export function escalationInWords({
  escalateAfterMinutes,
  escalateTimes,
}: Pick<Restaurant, "escalateAfterMinutes" | "escalateTimes">): string {
  if (escalateAfterMinutes === null) return "never escalated";
  const after = `escalated after ${span(escalateAfterMinutes)}`;
  return escalateTimes === 1 ? after : `${after}, ${amountOf(escalateTimes, "time")} at most`;
}

/** "15 min", "2 h", "1 h 30 min". */
function span(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}
