import type { Pulse } from "@/features/overview/schemas";

/** How far back the live picture reaches. */
export const SECONDS = 120;

export interface Second {
  at: number;
  facts: number;
  sent: number;
  failed: number;
  lag: number;
}

/** The last two minutes, a second each: what a pulse tells is spread over the seconds since the one before. */
export function withPulse(seconds: readonly Second[], pulse: Pulse): Second[] {
  const now = Math.floor(Date.parse(pulse.at) / 1000);
  const last = seconds.at(-1)?.at ?? now - 1;
  const passed = Math.min(SECONDS, Math.max(1, now - last));
  const share = (amount: number, nth: number) =>
    Math.floor((amount * (nth + 1)) / passed) - Math.floor((amount * nth) / passed);
  const fresh = Array.from({ length: passed }, (_, nth) => ({
    at: now - passed + 1 + nth,
    facts: share(pulse.facts, nth),
    sent: share(pulse.sent, nth),
    failed: share(pulse.failed + pulse.dead, nth),
    lag: pulse.lagSeconds ?? 0,
  }));
  return [...seconds, ...fresh].slice(-SECONDS);
}
