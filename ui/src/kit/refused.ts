import { isStatus, Problem, said } from "@/kit/problem";
import { tellFailed } from "@/kit/tell";

/** Shows what was refused at its fields; what belongs to no field is told in the corner. */
export function showRefusal(error: unknown, at: (faults: Record<string, string>) => void): void {
  const faults = error instanceof Problem ? Object.entries(error.fields) : [];
  if (faults.length === 0) tellFailed(error);
  else at(Object.fromEntries(faults.map(([field, message]) => [field, sentence(message)])));
}

/** "must be one e-mail address" as it stands under a field. */
export function sentence(words: string): string {
  const whole = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}

/** What the server found wrong, at its fields. */
export function refusedIn(error: unknown): Readonly<Partial<Record<string, string>>> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(Object.entries(error.fields).map(([field, words]) => [field, sentence(words)]));
}

/** What it said that belongs to no field; null where there is nothing of the kind. Somebody's change is another matter. */
export function wordsOf(error: unknown): string | null {
  if (isStatus(error, 409)) return said(error);
  if (!isStatus(error, 422)) return null;
  return Object.keys(refusedIn(error)).length === 0 ? said(error) : null;
}
