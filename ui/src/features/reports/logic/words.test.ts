import { describe, expect, it } from "vitest";
import { isRepeated, repeatable } from "@/features/reports/logic/repeating";
import { cadenceInWords, countsInWords, wallInWords, whyInWords } from "@/features/reports/logic/words";
import type { Timing } from "@/features/reports/schemas";

const weekly: Timing = {
  cadenceType: "weekly",
  cadenceDay: 0,
  cadenceWeekday: null,
  cadenceWeek: null,
  intervalWeeks: 1,
  cronExpression: null,
  scheduleTime: "09:00",
  timezone: "America/New_York",
};
const monthly: Timing = { ...weekly, cadenceType: "monthly", cadenceDay: 31 };

describe("a cadence in words", () => {
  it.each<[Timing, string]>([
    [{ ...weekly, cadenceType: "daily", cadenceDay: null }, "every day at 09:00"],
    [weekly, "every Monday at 09:00"],
    [{ ...weekly, cadenceDay: 6, intervalWeeks: 2 }, "every 2 weeks on Sunday at 09:00"],
    [monthly, "on day 31 of every month at 09:00"],
    [
      { ...monthly, cadenceDay: null, cadenceWeekday: 4, cadenceWeek: -1 },
      "on the last Friday of every month at 09:00",
    ],
    [
      { ...monthly, cadenceDay: null, cadenceWeekday: 0, cadenceWeek: 2 },
      "on the second Monday of every month at 09:00",
    ],
    [
      { ...weekly, cadenceType: "cron", cadenceDay: null, cronExpression: "0 9 * * 1-5", scheduleTime: null },
      "by cron: 0 9 * * 1-5",
    ],
  ])("says when, by which clock", (timing, words) => {
    expect(cadenceInWords(timing)).toBe(`${words} (America/New_York)`);
  });
});

describe("a run in words", () => {
  it("counts whom it reached, and whom not", () => {
    expect(countsInWords({ sent: 2, failed: 1, skipped: 0, pending: 0 })).toBe("2 sent, 1 failed");
    expect(countsInWords({ sent: 0, failed: 0, skipped: 0, pending: 0 })).toBe("");
  });

  it("says why there was one, where it was not simply due", () => {
    expect(whyInWords({ trigger: "schedule", retryOf: null, late: false })).toBe("");
    expect(whyInWords({ trigger: "schedule", retryOf: null, late: true })).toBe("late");
    expect(whyInWords({ trigger: "resend", retryOf: 4, late: true })).toBe("sent again, of run 4, late");
  });

  it("shows what the clock of its schedule showed", () => {
    expect(wallInWords("2026-11-23T09:00")).toMatch(/23.*2026.*09:00/);
  });
});

describe("repeating a run", () => {
  const counts = { sent: 1, failed: 0, skipped: 0, pending: 0 };
  it("is trying again where there was no report, and sending again where it did not reach somebody", () => {
    expect(repeatable({ status: "generation_failed", counts })).toBe("retry");
    expect(repeatable({ status: "partially_delivered", counts: { ...counts, failed: 1 } })).toBe("resend");
    expect(repeatable({ status: "delivered", counts })).toBeNull();
    expect(repeatable({ status: "delivering", counts: { ...counts, failed: 1 } })).toBeNull();
  });

  it("is not for what is being repeated", () => {
    expect(isRepeated(4, [{ status: "delivering", retryOf: 4 }])).toBe(true);
    expect(isRepeated(4, [{ status: "delivered", retryOf: 4 }])).toBe(false);
    expect(isRepeated(4, [{ status: "pending", retryOf: 3 }])).toBe(false);
  });
});
