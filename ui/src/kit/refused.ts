import { Problem } from "@/kit/problem";
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
