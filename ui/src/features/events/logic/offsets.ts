/** Seconds before the start, as the API has them. */
export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;
export const WEEK = 604_800;
export const MOST_OFFSETS = 20;
/** A year and a day. */
export const LONGEST = 366 * DAY;

export const PRESETS: readonly number[] = [WEEK, DAY, HOUR, 30 * MINUTE, 10 * MINUTE, 0];

export const units = ["minutes", "hours", "days", "weeks"] as const;
export type Unit = (typeof units)[number];
const SECONDS: Record<Unit, number> = { minutes: MINUTE, hours: HOUR, days: DAY, weeks: WEEK };

export function secondsOf(amount: number, unit: Unit): number {
  return Math.round(amount * SECONDS[unit]);
}

/** "1 week", "2 days 3 hours", "45 minutes", "30 seconds". */
export function span(seconds: number): string {
  if (seconds > 0 && seconds % WEEK === 0) return counted(seconds / WEEK, "week");
  const parts: [number, string][] = [
    [Math.floor(seconds / DAY), "day"],
    [Math.floor((seconds % DAY) / HOUR), "hour"],
    [Math.floor((seconds % HOUR) / MINUTE), "minute"],
    [seconds % MINUTE, "second"],
  ];
  const said = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => counted(amount, unit));
  return said.join(" ") || "0 seconds";
}

/** "1 day before"; nothing before is at the start itself. */
export function offsetInWords(seconds: number): string {
  return seconds === 0 ? "At the start" : `${span(seconds)} before`;
}

/** "1 day and 1 hour before", for a sentence. */
export function offsetsInWords(offsets: readonly number[]): string {
  const before = inOrder(offsets).filter((offset) => offset > 0);
  const atStart = offsets.includes(0);
  const said = [...before.map(span)];
  const words = before.length === 0 ? [] : [`${joined(said)} before`];
  return [...words, ...(atStart ? ["at the start"] : [])].join(" and ");
}

/** The earliest reminder first, each once: as the API keeps them. */
export function inOrder(offsets: readonly number[]): number[] {
  return [...new Set(offsets)].sort((a, b) => b - a);
}

/** What is wrong with an offset that somebody writes; null where nothing is. */
export function faultIn(amount: number | null, unit: Unit, present: readonly number[]): string | null {
  if (amount === null || Number.isNaN(amount)) return "How long before?";
  if (amount <= 0) return "More than nothing, please.";
  const seconds = secondsOf(amount, unit);
  if (seconds > LONGEST) return "A year before at most.";
  if (present.includes(seconds)) return "You have this one already.";
  if (present.length >= MOST_OFFSETS) return `At most ${MOST_OFFSETS}; take one away first.`;
  return null;
}

function joined(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

function counted(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
