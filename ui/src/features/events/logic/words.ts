import { viewersZone } from "@/kit/time";

/** "Tue, 1 Dec 2026, 18:30" by the clocks of a zone; the viewer's own where none is given. */
export function fully(moment: string | Date, timeZone: string = viewersZone()): string {
  return new Intl.DateTimeFormat(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(new Date(moment));
}

/** "Tue, 1 Dec 2026, 18:30 – 20:00", or with both days where they differ. */
export function lastingFrom(start: string, end: string | null, timeZone: string = viewersZone()): string {
  if (end === null) return fully(start, timeZone);
  const day = (moment: string) =>
    new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeZone }).format(new Date(moment));
  if (day(start) !== day(end)) return `${fully(start, timeZone)} – ${fully(end, timeZone)}`;
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZone });
  return `${fully(start, timeZone)} – ${clock.format(new Date(end))}`;
}

/** Whether the clocks of two zones show the same at a moment. */
export function showsTheSame(moment: string | Date, zone: string, other: string = viewersZone()): boolean {
  return fully(moment, zone) === fully(moment, other);
}

/** "1 subscriber", "3 subscribers". */
export function amountOf(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString()} ${amount === 1 ? one : many}`;
}
