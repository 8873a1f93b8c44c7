import { expect, it } from "vitest";
import { isMoving, tally } from "@/features/events/logic/messages";
import type { EventMessage } from "@/features/events/schemas";

const SAID: EventMessage = {
  id: "1",
  factId: null,
  kind: "announced",
  title: "Bring a coat",
  body: "It will be cold.",
  level: "info",
  people: 4,
  noTarget: 0,
  complete: true,
  deliveries: { open: 0, sent: 6, skipped: 0, failed: 0 },
  closedReason: null,
  createdAt: "2026-11-16T12:00:00Z",
};

it.each([
  [SAID, "4 people; deliveries: 6 sent"],
  [
    { ...SAID, deliveries: { open: 2, sent: 3, skipped: 0, failed: 1 } },
    "4 people; deliveries: 3 sent, 1 failed, 2 under way",
  ],
  [
    { ...SAID, people: 1, noTarget: 1, deliveries: { open: 0, sent: 0, skipped: 0, failed: 0 } },
    "1 person; 1 could be told nowhere",
  ],
  [{ ...SAID, people: 0, deliveries: { open: 0, sent: 0, skipped: 0, failed: 0 } }, ""],
])("says how many heard of it (%#)", (message, words) => {
  expect(tally(message)).toBe(words);
});

it("moves while somebody is to be reached, or something is open, and not once it is closed", () => {
  expect(isMoving(SAID)).toBe(false);
  expect(isMoving({ ...SAID, complete: false })).toBe(true);
  expect(isMoving({ ...SAID, complete: false, closedReason: "event_cancelled" })).toBe(false);
  expect(isMoving({ ...SAID, deliveries: { ...SAID.deliveries, open: 1 } })).toBe(true);
});
