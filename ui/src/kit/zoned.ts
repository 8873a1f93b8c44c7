/** "2026-12-01T18:30": what a clock on a wall shows; which moment that is depends on where the wall stands. */
export type Wall = string;

const MINUTE = 60_000;
const DAY = 86_400_000;

/** What a time of the clock means in a zone. Most happen once a day; in the nights of the clocks not all do. */
export type Meant =
  | { is: "once"; at: Date }
  /** The hour repeats: it happens twice. */
  | { is: "twice"; first: Date; second: Date }
  /** The hour is missing: the clocks leap over it, and `at` is the first moment after. */
  | { is: "missing"; at: Date };

export function meant(wall: Wall, zone: string): Meant {
  const asIfUtc = Date.parse(`${wall}:00Z`);
  const around = [asIfUtc - DAY, asIfUtc + DAY].map((moment) => offsetAt(moment, zone));
  const moments = [...new Set(around)]
    .map((offset) => asIfUtc - offset)
    .filter((moment) => moment + offsetAt(moment, zone) === asIfUtc)
    .sort((a, b) => a - b);
  const [first, second] = moments;
  if (first === undefined) return { is: "missing", at: new Date(leap(asIfUtc, zone)) };
  if (second === undefined) return { is: "once", at: new Date(first) };
  return { is: "twice", first: new Date(first), second: new Date(second) };
}

/** The moment, with `later` saying which of two. */
export function momentOf(wall: Wall, zone: string, later: boolean): Date {
  const found = meant(wall, zone);
  if (found.is === "twice") return later ? found.second : found.first;
  return found.at;
}

/** What the clocks of a zone show at a moment. */
export function wallAt(moment: string | Date, zone: string): Wall {
  const time = new Date(moment).getTime();
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16);
}

/** Whether a moment is the second of two at which the clocks show the same. */
export function isLater(moment: string | Date, zone: string): boolean {
  const found = meant(wallAt(moment, zone), zone);
  return found.is === "twice" && found.second.getTime() <= new Date(moment).getTime();
}

/** How far the clocks of a zone are ahead of Greenwich, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const whole = Math.floor(moment / MINUTE) * MINUTE;
  const parts = Object.fromEntries(
    format(zone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  const shown = Date.parse(`${year?.padStart(4, "0") ?? ""}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return shown - whole;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(zone, made);
  return made;
}

/** The moment at which the clocks leap over this time. */
function leap(asIfUtc: number, zone: string): number {
  let [before, after] = [asIfUtc - DAY, asIfUtc + DAY];
  const offset = offsetAt(before, zone);
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
    if (offsetAt(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return Math.floor(after / MINUTE) * MINUTE;
}

/** A time as it is being written: by the clocks of a zone, and which one where they show it twice. */
export interface Time {
  /** Empty where none is written. */
  wall: Wall;
  later: boolean;
}

export const NEVER: Time = { wall: "", later: false };

export function timeOf(moment: string, zone: string): Time {
  return { wall: wallAt(moment, zone), later: isLater(moment, zone) };
}

/** The moment that is meant; null where none is written. */
export function moment({ wall, later }: Time, zone: string): Date | null {
  return wall === "" ? null : momentOf(wall, zone, later);
}

/** What a time says of itself where it does not happen, or happens twice; null where it simply does. */
export function oddness(time: Time, zone: string): "twice" | "missing" | null {
  if (time.wall === "") return null;
  const found = meant(time.wall, zone);
  return found.is === "once" ? null : found.is;
}
