import { describe, expect, it } from "vitest";
import { bodyOf, EMPTY, faultsOf } from "@/features/reservations/logic/draft";
import { toldOf } from "@/features/reservations/logic/history";
import {
  minutesFault,
  restaurantBody,
  restaurantDraft,
  timesFault,
} from "@/features/reservations/logic/places";
import { escalationInWords, factInWords, listenerInWords } from "@/features/reservations/logic/words";
import type { Happened, Heard, Notice } from "@/features/reservations/schemas";

const now = Date.parse("2026-11-18T12:00:00Z");
const whole = {
  ...EMPTY,
  restaurantId: 1,
  customerId: "c",
  time: { wall: "2026-11-20T19:30", later: false },
};

describe("a reservation that is written", () => {
  it("asks for what is missing", () => {
    expect(Object.keys(faultsOf(EMPTY, "Europe/Rome", now)).sort()).toEqual([
      "customerId",
      "restaurantId",
      "time",
    ]);
    expect(faultsOf(whole, "Europe/Rome", now)).toEqual({});
  });

  it.each([
    [{ partySize: "" }, "partySize"],
    [{ partySize: 0 }, "partySize"],
    [{ partySize: 1001 }, "partySize"],
    [{ partySize: 2.5 }, "partySize"],
    [{ time: { wall: "2026-11-18T12:30", later: false } }, "time"],
    [{ time: { wall: "2029-01-01T12:30", later: false } }, "time"],
    [{ note: "x".repeat(2001) }, "note"],
  ])("refuses %o", (part, field) => {
    expect(Object.keys(faultsOf({ ...whole, ...part }, "Europe/Rome", now))).toEqual([field]);
  });

  it("is sent by the restaurant's clocks", () => {
    expect(bodyOf({ ...whole, note: "  " }, "Asia/Tokyo")).toMatchObject({
      time: "2026-11-20T10:30:00.000Z",
      note: null,
      partySize: 2,
    });
  });
});

describe("a restaurant that is written", () => {
  it("has usual values, and leaves an external id to be made up", () => {
    const draft = { ...restaurantDraft(undefined, "Europe/Rome"), name: " The Anchor " };
    expect(restaurantBody(draft)).toEqual({
      name: "The Anchor",
      timezone: "Europe/Rome",
      locale: null,
      escalateAfterMinutes: 15,
      escalateTimes: 2,
    });
  });

  it("may never escalate, and then does not ask when", () => {
    const draft = { ...restaurantDraft(undefined, "Europe/Rome"), escalates: false, minutes: "", times: 2 };
    expect(restaurantBody(draft).escalateAfterMinutes).toBeNull();
    expect([minutesFault(draft), timesFault(draft)]).toEqual([null, null]);
  });

  it("says what is no number of minutes, or of times", () => {
    const draft = { ...restaurantDraft(undefined, "Europe/Rome"), minutes: 20_000, times: 11 };
    expect(minutesFault(draft)).toContain("a week");
    expect(timesFault(draft)).toContain("10");
  });
});

it("says things in words", () => {
  expect(escalationInWords({ escalateAfterMinutes: null, escalateTimes: 2 })).toBe("never escalated");
  expect(escalationInWords({ escalateAfterMinutes: 90, escalateTimes: 1 })).toBe(
    "escalated after 1 h 30 min",
  );
  expect(escalationInWords({ escalateAfterMinutes: 15, escalateTimes: 3 })).toContain("3 times at most");
  expect(factInWords("reservation.postponed")).toBe("Another time proposed");
  expect(factInWords("reservation.other")).toBe("reservation.other");
  expect(listenerInWords("mine.own")).toBe("mine.own");
});

describe("what happened", () => {
  const heard = (listener: string): Heard => ({
    intentId: listener,
    listener,
    status: "succeeded",
    attempts: 1,
    lastError: null,
    verdict: null,
    runAt: "",
    finishedAt: null,
  });
  const fact: Happened = {
    factId: "f",
    type: "reservation.requested",
    occurredAt: "",
    actor: null,
    heardBy: [
      heard("mine"),
      heard("reservations.customer"),
      heard("reservations.restaurant"),
      heard("rules"),
    ],
  };
  const said = (id: string, listener: string) => ({ id, factId: "f", listener }) as Notice;

  it("puts notices to who said them, escalations too, and what a rule said besides", () => {
    const notices = [
      said("4", "rule:7"),
      said("3", "reservations.restaurant#0/escalation"),
      said("2", "reservations.customer"),
      said("1", "reservations.restaurant"),
      { ...said("0", "reservations.restaurant"), factId: "another" },
    ];
    const [told] = toldOf({ facts: [fact], notices });
    expect(told?.heard.map(({ listener }) => listener)).toEqual([
      "reservations.restaurant",
      "reservations.customer",
      "mine",
      "rules",
    ]);
    expect(told?.heard.map((each) => each.notices.map(({ id }) => id))).toEqual([["1", "3"], ["2"], [], []]);
    expect(told?.besides.map(({ id }) => id)).toEqual(["4"]);
  });
});
