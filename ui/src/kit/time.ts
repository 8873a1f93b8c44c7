const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function viewersZone(): string {
  return zone;
}

export function exactly(moment: string | Date): string {
  return full.format(new Date(moment));
}

export function briefly(moment: string | Date): string {
  return short.format(new Date(moment));
}

/** "in 3 min.", "2 hr. ago", "yesterday"; a few seconds either way are "now". */
export function fromNow(moment: string | Date, now: number = Date.now()): string {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  if (step === undefined)
    return Math.abs(seconds) < 10 ? "now" : relative.format(Math.round(seconds), "second");
  return relative.format(Math.round(seconds / step[1]), step[0]);
}

/** "850 ms", "1.4 s", "3 min 10 s". */
export function lasting(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "18:30": the time of the day in a zone; in the viewer's own where none is given. */
export function clock(moment: string | Date, timeZone: string = zone): string {
  const format = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZone });
  return format.format(new Date(moment));
}

/** "Mon 18:30 in Asia/Tokyo", where clocks there show something else than the viewer's; null where they do not. */
export function elsewhere(moment: string | Date, timeZone: string, here: string = zone): string | null {
  const at = (place: string) =>
    new Intl.DateTimeFormat(undefined, {
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      timeZone: place,
    }).format(new Date(moment));
  return at(timeZone) === at(here) ? null : `${at(timeZone)} in ${timeZone}`;
}

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

/** Whether the clocks of two zones show the same at a moment. */
export function showsTheSame(moment: string | Date, zone: string, other: string = viewersZone()): boolean {
  return fully(moment, zone) === fully(moment, other);
}
