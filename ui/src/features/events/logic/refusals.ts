import type { Faults } from "@/features/events/logic/draft";
import { isStatus, Problem, said } from "@/kit/problem";
import { sentence } from "@/kit/refused";

/** What the server found wrong, at its fields. */
export function refusedIn(error: unknown): Faults {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(Object.entries(error.fields).map(([field, words]) => [field, sentence(words)]));
}

/** What it said that belongs to no field; null where there is nothing of the kind. Somebody's change is another matter. */
export function wordsOf(error: unknown): string | null {
  if (isStatus(error, 409)) return said(error);
  if (!isStatus(error, 422)) return null;
  return Object.keys(refusedIn(error)).length === 0 ? said(error) : null;
}
