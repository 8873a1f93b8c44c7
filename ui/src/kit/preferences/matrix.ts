import { channels, type Channel } from "@/kit/channels";
import type { Category, Preference } from "@/kit/preferences/schemas";

export const EVERY = "*";
export type Row = Record<Channel, boolean>;

/** What is wanted, spelt out: a row for every category, and one for whatever has no row of its own (`*`). */
export type Matrix = Record<string, Row>;

/** Categories to choose from: those that there are, and those that somebody has said something about. */
export function rowsOf(categories: readonly Category[], said: readonly Preference[]): Category[] {
  const known = new Set([EVERY, ...categories.map(({ id }) => id)]);
  const others = new Set(said.map(({ category }) => category).filter((id) => !known.has(id)));
  const bare = [...others].map((id) => ({ id, name: id, description: null, required: false }));
  return [...categories, ...bare];
}

export function matrixOf(said: readonly Preference[], rows: readonly Category[]): Matrix {
  const row = (category: string, required = false) =>
    rowOf((channel) => required || closest(said, category, channel));
  return Object.fromEntries([
    [EVERY, row(EVERY)],
    ...rows.map(({ id, required }) => [id, row(id, required)] as const),
  ]);
}

function closest(said: readonly Preference[], category: string, channel: Channel): boolean {
  const order = [
    [category, channel],
    [category, EVERY],
    [EVERY, channel],
    [EVERY, EVERY],
  ];
  for (const [of, on] of order) {
    const found = said.findLast((one) => one.category === of && one.channel === on);
    if (found !== undefined) return found.wanted;
  }
  return true;
}

/** The matrix after one mark is set: for one category or all, on one channel or all. What is required stays. */
export function marked(
  matrix: Matrix,
  rows: readonly Category[],
  at: { category: string; channel: Channel | typeof EVERY },
  wanted: boolean,
): Matrix {
  const fixed = new Set(rows.filter(({ required }) => required).map(({ id }) => id));
  const touched = (id: string) => (at.category === EVERY || at.category === id) && !fixed.has(id);
  return Object.fromEntries(
    Object.entries(matrix).map(([id, row]) => [id, touched(id) ? set(row, at.channel, wanted) : row]),
  );
}

function set(row: Row, channel: Channel | typeof EVERY, wanted: boolean): Row {
  return channel === EVERY ? rowOf(() => wanted) : { ...row, [channel]: wanted };
}

/** As few words as say the same: a row that is like that of everything says nothing. */
export function saidIn(matrix: Matrix, rows: readonly Category[]): Preference[] {
  const every = matrix[EVERY] ?? rowOf(() => true);
  const own = rows
    .filter(({ required }) => !required)
    .flatMap(({ id }) => differences(id, matrix[id] ?? every, every));
  return [
    ...differences(
      EVERY,
      every,
      rowOf(() => true),
    ),
    ...own,
  ];
}

function differences(category: string, row: Row, from: Row): Preference[] {
  const differing = channels.filter((channel) => row[channel] !== from[channel]);
  if (differing.length === 0) return [];
  const whole = uniform(row);
  if (whole !== undefined) return [{ category, channel: EVERY, wanted: whole }];
  return differing.map((channel) => ({ category, channel, wanted: row[channel] }));
}

/** Whether a row is wanted, or unwanted, everywhere; undefined where it is mixed. */
export function uniform(row: Row): boolean | undefined {
  const values = new Set(Object.values(row));
  return values.size === 1 ? values.has(true) : undefined;
}

export function sameMatrix(one: Matrix, other: Matrix): boolean {
  return Object.entries(one).every(([id, row]) =>
    channels.every((channel) => row[channel] === other[id]?.[channel]),
  );
}

function rowOf(wanted: (channel: Channel) => boolean): Row {
  return Object.fromEntries(channels.map((channel) => [channel, wanted(channel)])) as Row;
}
