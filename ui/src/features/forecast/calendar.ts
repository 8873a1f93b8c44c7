import type { Expected, What } from "@/features/forecast/schemas";

export interface Kind {
  what: What;
  name: string;
  count: number;
}

export interface Day {
  /** "2026-11-16" */
  date: string;
  /** Whether the forecast reaches it. */
  within: boolean;
  today: boolean;
  total: number;
  /** The most first. */
  kinds: readonly Kind[];
  /** From 0 to 1: how much, beside the fullest day. */
  fullness: number;
}

const A_DAY = 86_400_000;

/** Whole weeks from Monday to Sunday, from the first day to the last one. */
export function weeks(expected: readonly Expected[], first: string, last: string): Day[][] {
  const counted = byDay(expected);
  const most = Math.max(1, ...[...counted.values()].map(total));
  const days: Day[] = [];
  for (let at = monday(first); at <= sunday(last); at += A_DAY) {
    const date = new Date(at).toISOString().slice(0, 10);
    const kinds = counted.get(date) ?? [];
    const sum = total(kinds);
    const within = date >= first && date <= last;
    days.push({ date, within, today: date === first, total: sum, kinds, fullness: sum / most });
  }
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Days of which there is something to say, for where there is no room for a grid. */
export function busyDays(calendar: readonly (readonly Day[])[]): Day[] {
  return calendar.flat().filter((day) => day.total > 0);
}

/** The day that a moment falls on by the clocks of a zone. */
export function dayOf(moment: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return parts.format(new Date(moment));
}

function byDay(expected: readonly Expected[]): Map<string, Kind[]> {
  const days = new Map<string, Map<string, Kind>>();
  for (const { day, what, name, count } of expected) {
    const kinds = days.get(day) ?? new Map<string, Kind>();
    const before = kinds.get(`${what} ${name}`)?.count ?? 0;
    days.set(day, kinds.set(`${what} ${name}`, { what, name, count: before + count }));
  }
  return new Map(
    [...days].map(([day, kinds]) => [day, [...kinds.values()].sort((a, b) => b.count - a.count)]),
  );
}

function total(kinds: readonly Kind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

function monday(date: string): number {
  return Date.parse(date) - weekday(date) * A_DAY;
}

function sunday(date: string): number {
  return Date.parse(date) + (6 - weekday(date)) * A_DAY;
}

/** 0 is Monday. */
function weekday(date: string): number {
  return (new Date(date).getUTCDay() + 6) % 7;
}
