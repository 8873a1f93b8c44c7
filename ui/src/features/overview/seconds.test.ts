import { expect, it } from "vitest";
import { SECONDS, withPulse, type Second } from "@/features/overview/seconds";

const pulse = { skipped: 0, dead: 0, waiting: 0, lagSeconds: null, facts: 0, sent: 0, failed: 0 };

it("puts a pulse into its second", () => {
  const seconds = withPulse([], { ...pulse, at: "2026-11-16T12:00:01.2Z", facts: 7 });
  expect(seconds.map((second) => second.facts)).toEqual([7]);
});

it("spreads what came after a pause over the seconds that passed, and loses none of it", () => {
  const before = withPulse([], { ...pulse, at: "2026-11-16T12:00:00Z" });
  const seconds = withPulse(before, { ...pulse, at: "2026-11-16T12:00:04Z", sent: 10 });
  expect(seconds.map((second) => second.sent)).toEqual([0, 2, 3, 2, 3]);
});

it("forgets what is older than it shows", () => {
  let seconds: Second[] = [];
  for (let n = 0; n < 10; n++) {
    const at = new Date(Date.parse("2026-11-16T12:00:00Z") + n * 60_000).toISOString();
    seconds = withPulse(seconds, { ...pulse, at });
  }
  expect(seconds).toHaveLength(SECONDS);
});

it("counts a pulse of a second that it has already seen as of the next", () => {
  const before = withPulse([], { ...pulse, at: "2026-11-16T12:00:00.1Z", facts: 1 });
  const seconds = withPulse(before, { ...pulse, at: "2026-11-16T12:00:00.9Z", facts: 2 });
  expect(seconds.map((second) => second.facts)).toEqual([1, 2]);
});
