import { fully, viewersZone } from "@/kit/time";

/** "Tue, 1 Dec 2026, 18:30 – 20:00", or with both days where they differ. */
export function lastingFrom(start: string, end: string | null, timeZone: string = viewersZone()): string {
  if (end === null) return fully(start, timeZone);
  const day = (moment: string) =>
    new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeZone }).format(new Date(moment));
  if (day(start) !== day(end)) return `${fully(start, timeZone)} – ${fully(end, timeZone)}`;
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZone });
  return `${fully(start, timeZone)} – ${clock.format(new Date(end))}`;
}
