import type { Action, Handled } from "@/kit/matter/schemas";
import { briefly, clock, viewersZone } from "@/kit/time";

/** What a button says. The three dots promise a question. */
export const buttonWords: Record<Action, string> = {
  CONFIRMED: "Confirm",
  REJECTED: "Reject",
  POSTPONED: "Propose another time…",
  DISMISSED: "Dismiss",
  CUSTOM: "Other…",
};

const HOW: Record<Handled["action"], string> = {
  CONFIRMED: "confirmed",
  REJECTED: "rejected",
  POSTPONED: "another time was proposed",
  DISMISSED: "dismissed",
  CUSTOM: "dealt with otherwise",
  WITHDRAWN: "withdrawn",
};

export function howInWords(action: Handled["action"]): string {
  return HOW[action];
}

/** "Handled by Somebody: confirmed, 12:04". To `me` it says "you". */
export function handledInWords(handled: Handled, me: string | null, now = new Date()): string {
  const { action, at } = handled;
  return `Handled by ${nameOf(handled.by, me)}: ${HOW[action]}, ${on(at, now)}`;
}

export function nameOf(by: Handled["by"], me: string | null): string {
  if (by.id !== null && by.id === me) return "you";
  return by.name ?? "somebody";
}

/** "12:04" today, "3 Dec, 12:04" on another day. */
export function on(moment: string, now: Date, zone = viewersZone()): string {
  const day = (at: string | Date) =>
    new Intl.DateTimeFormat("en", { dateStyle: "short", timeZone: zone }).format(new Date(at));
  return day(moment) === day(now) ? clock(moment, zone) : briefly(moment);
}
