import { describe, expect, it } from "vitest";
import {
  bodyOf,
  changesOf,
  draftOf,
  emptyDraft,
  faultsOf,
  gathered,
  previewOf,
  timingFaults,
  timingOf,
  type Draft,
} from "@/features/reports/logic/draft";
import type { Schedule } from "@/features/reports/schemas";

const whole: Draft = {
  ...emptyDraft("America/New_York"),
  reportTypeId: "delivery-summary",
  recipients: ["first@example.com"],
};

const saved: Schedule = {
  id: 7,
  name: "What went out",
  reportTypeId: "delivery-summary",
  cadenceType: "weekly",
  cadenceDay: 0,
  cadenceWeekday: null,
  cadenceWeek: null,
  intervalWeeks: 2,
  cronExpression: null,
  scheduleTime: "09:00",
  timezone: "America/New_York",
  catchUp: "latest",
  status: "active",
  nextRunAt: "2026-11-23T14:00:00Z",
  warnings: [],
  recipients: [{ id: 1, email: "first@example.com", isActive: true }],
  createdAt: "2026-11-01T10:00:00Z",
  updatedAt: "2026-11-01T10:00:00Z",
};

describe("a draft", () => {
  it("sends what its cadence takes, and nothing else", () => {
    const base = { cadenceDay: null, scheduleTime: "09:00", timezone: "America/New_York" };
    expect(timingOf({ ...whole, cadenceType: "daily" })).toEqual({ ...base, cadenceType: "daily" });
    expect(timingOf({ ...whole, weekday: 4, intervalWeeks: 3 })).toEqual({
      ...base,
      cadenceType: "weekly",
      cadenceDay: 4,
      intervalWeeks: 3,
    });
    const monthly: Draft = { ...whole, cadenceType: "monthly", monthDay: 31, week: -1, weekday: 4 };
    expect(timingOf(monthly)).toEqual({ ...base, cadenceType: "monthly", cadenceDay: 31 });
    expect(timingOf({ ...monthly, monthlyBy: "weekday" })).toEqual({
      ...base,
      cadenceType: "monthly",
      cadenceWeekday: 4,
      cadenceWeek: -1,
    });
    expect(timingOf({ ...whole, cadenceType: "cron", cron: " 0 9 * * 1-5 " })).toEqual({
      cadenceType: "cron",
      cadenceDay: null,
      cronExpression: "0 9 * * 1-5",
      timezone: "America/New_York",
    });
  });

  it("leaves out a name that is none", () => {
    expect(bodyOf({ ...whole, name: "  " })).not.toHaveProperty("name");
    expect(bodyOf({ ...whole, name: " Mine " }).name).toBe("Mine");
  });

  it("is what is saved, and sends recipients only where they are others", () => {
    const draft = draftOf(saved);
    expect(changesOf(saved, draft)).toEqual({
      cadenceType: "weekly",
      cadenceDay: 0,
      intervalWeeks: 2,
      scheduleTime: "09:00",
      timezone: "America/New_York",
      reportTypeId: "delivery-summary",
      name: "What went out",
      catchUp: "latest",
    });
    const others = ["second@example.com"];
    expect(changesOf(saved, { ...draft, recipients: others }).recipients).toEqual(others);
  });

  it("comes back from every cadence", () => {
    const by = {
      ...saved,
      cadenceType: "monthly",
      cadenceDay: null,
      cadenceWeekday: 4,
      cadenceWeek: -1,
    } as const;
    expect(timingOf(draftOf(by))).toMatchObject({ cadenceWeekday: 4, cadenceWeek: -1, cadenceDay: null });
    expect(timingOf(draftOf({ ...saved, cadenceType: "monthly", cadenceDay: 31 }))).toMatchObject({
      cadenceDay: 31,
    });
    const cron = { ...saved, cadenceType: "cron", cronExpression: "0 9 * * *", scheduleTime: null } as const;
    expect(timingOf(draftOf({ ...cron, cadenceDay: null }))).toMatchObject({ cronExpression: "0 9 * * *" });
  });
});

describe("faults", () => {
  it("ask for what is missing, at its field", () => {
    expect(Object.keys(faultsOf(emptyDraft("UTC")))).toEqual(["reportTypeId", "recipients"]);
    expect(faultsOf(whole)).toEqual({});
    expect(faultsOf({ ...whole, recipients: ["nobody"] }).recipients).toBe("nobody is no e-mail address.");
    expect(faultsOf(whole, true)).toHaveProperty("name");
  });

  it("are those of the cadence alone", () => {
    const odd: Draft = { ...whole, time: "", intervalWeeks: 53, monthDay: "", cron: "daily" };
    expect(Object.keys(timingFaults(odd))).toEqual(["scheduleTime", "intervalWeeks"]);
    expect(Object.keys(timingFaults({ ...odd, cadenceType: "monthly" }))).toEqual([
      "scheduleTime",
      "cadenceDay",
    ]);
    expect(Object.keys(timingFaults({ ...odd, cadenceType: "cron" }))).toEqual(["cronExpression"]);
    expect(Object.keys(timingFaults({ ...odd, cadenceType: "daily" }))).toEqual(["scheduleTime"]);
  });

  it("of one recipient stand at all of them, with the address", () => {
    const two = { ...whole, recipients: ["a@example.com", "b@.example.com"] };
    expect(gathered({ "recipients.1": "Must be an e-mail address." }, two).recipients).toBe(
      "b@.example.com: Must be an e-mail address.",
    );
    expect(gathered({ name: "Too long." }, two)).toEqual({ name: "Too long." });
  });
});

describe("the preview", () => {
  it("is asked for where it can be said", () => {
    expect(previewOf({ ...whole, time: "" })).toBeNull();
    expect(previewOf(whole)).toEqual(timingOf(whole));
  });

  it("counts weeks from the next run where nothing is changed, else from now", () => {
    const draft = draftOf(saved);
    expect(previewOf({ ...draft, name: "Another" }, saved)?.from).toBe("2026-11-23T13:59:00.000Z");
    expect(previewOf({ ...draft, weekday: 1 }, saved)).not.toHaveProperty("from");
    expect(previewOf(draft, { ...saved, nextRunAt: null })).not.toHaveProperty("from");
  });
});
