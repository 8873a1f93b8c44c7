import { isStatus, Problem, said } from "@/kit/problem";

/** Messages by the path of their field, as the API names it: `name`, `config.host`, `rate.period`. */
export type Faults = Readonly<Record<string, string>>;

/** Of all conflicts that saving can meet, one is about a field: the name. */
export function faultsIn(error: unknown): Faults {
  if (isStatus(error, 409)) return { name: said(error) };
  return error instanceof Problem ? error.fields : {};
}

/** What is wrong with something that this form does not show. */
export function elsewhereIn(faults: Faults, shown: readonly string[]): string[] {
  return Object.entries(faults)
    .filter(([path]) => !shown.includes(path))
    .map(([path, message]) => `${path}: ${message}`);
}
