import type { Provider } from "@/features/channels/schemas";

const LEAST = 1_000;

/**
 * In how many milliseconds the first of them has rested; false where none rests.
 *
 * Nobody announces the end of a rest: it is only a time that passes.
 */
export function untilRested(
  providers: readonly Pick<Provider, "circuit">[],
  now: number = Date.now(),
): number | false {
  const ends = providers
    .filter(({ circuit }) => circuit.state === "open" && circuit.openUntil !== null)
    .map(({ circuit }) => new Date(circuit.openUntil ?? 0).getTime());
  return ends.length === 0 ? false : Math.max(LEAST, Math.min(...ends) - now + LEAST);
}
