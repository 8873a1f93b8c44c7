import { Problem } from "@/kit/problem";

/** What is wrong with a rule, by the path of its field as the server names it. */
export type Faults = Readonly<Record<string, string>>;

const TRIED = "rule.";

/** Of a rule that was saved, or that was tried: there every path begins with `rule.`. */
export function faultsIn(error: unknown): Faults {
  if (!(error instanceof Problem)) return {};
  const bare = (path: string) => (path.startsWith(TRIED) ? path.slice(TRIED.length) : path);
  return Object.fromEntries(Object.entries(error.fields).map(([path, message]) => [bare(path), message]));
}

/** The fault of this very field. */
export function at(faults: Faults, path: string): string | undefined {
  return faults[path];
}

/** The fault of this field or of something in it, for a control that holds several values. */
export function within(faults: Faults, path: string): string | undefined {
  const inner = Object.keys(faults).find((known) => known === path || known.startsWith(`${path}.`));
  return inner === undefined ? undefined : faults[inner];
}
