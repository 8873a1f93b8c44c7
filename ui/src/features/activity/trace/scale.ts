import { lasting } from "@/kit/time";

/** A moment that the axis names. */
export interface Tick {
  /** From 0, the fact, to 1, the last that is known. */
  x: number;
  says: string;
}

/** A stretch in which nothing happened: drawn shorter than it was, and said to be. */
export interface Pause {
  from: number;
  to: number;
  says: string;
}

export interface Scale {
  at: (milliseconds: number) => number;
  ticks: readonly Tick[];
  pauses: readonly Pause[];
}

const MOST_GAPS = 12;
const FINEST = 4; // milliseconds
const LONG = 30_000;
const LAST = 1.6; // it stands to the left of its line

/**
 * An axis on which milliseconds and days can both be read: what lies between two moments gets room by the logarithm of
 * its length. Earlier is always further left.
 */
export function makeScale(moments: readonly number[], room = 0.12): Scale {
  const stops = thinned([...new Set([0, ...moments])].sort((a, b) => a - b));
  const places = placed(stops);
  const at = (moment: number) => between(stops, places, moment);
  return { at, ticks: ticks(stops, places, room), pauses: pauses(stops, places) };
}

/** What lies close together is one stretch: only the longest gaps count as gaps. */
function thinned(sorted: readonly number[]): number[] {
  const gaps = sorted.slice(1).map((stop, n) => ({ n, length: stop - (sorted[n] ?? 0) }));
  if (gaps.length <= MOST_GAPS) return [...sorted];
  const longest = gaps.sort((a, b) => b.length - a.length).slice(0, MOST_GAPS);
  const kept = new Set([0, sorted.length - 1, ...longest.flatMap(({ n }) => [n, n + 1])]);
  return sorted.filter((_, n) => kept.has(n));
}

function placed(stops: readonly number[]): number[] {
  let sum = 0;
  const sums = stops.map(
    (stop, n) => (sum += n === 0 ? 0 : Math.log10(1 + (stop - (stops[n - 1] ?? 0)) / FINEST)),
  );
  return sums.map((place) => (sum === 0 ? 0 : place / sum));
}

function between(stops: readonly number[], places: readonly number[], moment: number): number {
  const next = stops.findIndex((stop) => stop >= moment);
  if (next === -1) return 1;
  if (next === 0) return 0;
  const [a = 0, b = 0] = [stops[next - 1], stops[next]];
  const [x = 0, y = 0] = [places[next - 1], places[next]];
  return x + ((moment - a) / (b - a)) * (y - x);
}

/** As many as have room beside each other; the last one always. */
function ticks(stops: readonly number[], places: readonly number[], room: number): Tick[] {
  const all = stops.map((stop, n) => ({ x: places[n] ?? 0, says: offset(stop) }));
  const [first, ...others] = all;
  const last = others.pop();
  if (first === undefined) return [];
  const chosen = [first];
  for (const tick of others) {
    const before = chosen.at(-1) ?? first;
    const ahead = last === undefined ? 1 : last.x - tick.x;
    if (tick.x - before.x >= room && ahead >= room * LAST && tick.says !== before.says) chosen.push(tick);
  }
  return last === undefined ? chosen : [...chosen, last];
}

function pauses(stops: readonly number[], places: readonly number[]): Pause[] {
  return stops.slice(1).flatMap((stop, n) => {
    const length = stop - (stops[n] ?? 0);
    return length < LONG ? [] : [{ from: places[n] ?? 0, to: places[n + 1] ?? 0, says: lasting(length) }];
  });
}

/** "+12 ms", "+3 min 10 s"; the fact itself is "0". */
export function offset(milliseconds: number): string {
  return milliseconds < 0.5 ? "0" : `+${lasting(milliseconds)}`;
}
