import { describe, expect, it } from "vitest";
import { isLater, meant, momentOf, wallAt } from "@/kit/zoned";

const iso = (moment: Date) => moment.toISOString().slice(0, 16);

describe("meant", () => {
  it.each([
    ["2026-12-01T18:30", "Europe/Rome", "2026-12-01T17:30"],
    ["2026-07-01T18:30", "Europe/Rome", "2026-07-01T16:30"],
    ["2026-12-01T18:30", "Asia/Kolkata", "2026-12-01T13:00"],
    ["2026-12-01T00:10", "America/Los_Angeles", "2026-12-01T08:10"],
    ["2026-12-01T23:30", "Pacific/Kiritimati", "2026-12-01T09:30"],
    ["2026-12-01T18:30", "UTC", "2026-12-01T18:30"],
  ])("%s in %s is %s in Greenwich", (wall, zone, moment) => {
    const found = meant(wall, zone);
    expect(found.is).toBe("once");
    expect(iso(momentOf(wall, zone, false))).toBe(moment);
    expect(wallAt(momentOf(wall, zone, false), zone)).toBe(wall);
  });

  it.each([
    ["2026-10-25T02:30", "Europe/Rome", "2026-10-25T00:30", "2026-10-25T01:30"],
    ["2026-11-01T01:00", "America/New_York", "2026-11-01T05:00", "2026-11-01T06:00"],
    ["2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45", "2027-04-03T15:15"],
  ])("%s in %s happens twice", (wall, zone, first, second) => {
    expect(meant(wall, zone).is).toBe("twice");
    expect(iso(momentOf(wall, zone, false))).toBe(first);
    expect(iso(momentOf(wall, zone, true))).toBe(second);
  });

  it.each([
    ["2026-03-29T02:30", "Europe/Rome", "2026-03-29T01:00", "2026-03-29T03:00"],
    ["2026-03-29T02:00", "Europe/Rome", "2026-03-29T01:00", "2026-03-29T03:00"],
    ["2026-03-08T02:59", "America/New_York", "2026-03-08T07:00", "2026-03-08T03:00"],
    ["2026-10-04T02:10", "Australia/Lord_Howe", "2026-10-03T15:30", "2026-10-04T02:30"],
  ])("%s in %s is missing, and becomes the first moment after", (wall, zone, moment, shown) => {
    const found = meant(wall, zone);
    expect(found.is).toBe("missing");
    expect(iso(momentOf(wall, zone, false))).toBe(moment);
    expect(wallAt(momentOf(wall, zone, false), zone)).toBe(shown);
  });

  it.each(["2026-03-29T01:59", "2026-03-29T03:00", "2026-10-25T01:59", "2026-10-25T03:00"])(
    "%s in Rome, beside the change, happens once",
    (wall) => {
      expect(meant(wall, "Europe/Rome").is).toBe("once");
    },
  );
});

describe("isLater", () => {
  it("knows the second of two", () => {
    expect(isLater("2026-10-25T00:30:00Z", "Europe/Rome")).toBe(false);
    expect(isLater("2026-10-25T01:30:00Z", "Europe/Rome")).toBe(true);
    expect(isLater("2026-12-01T01:30:00Z", "Europe/Rome")).toBe(false);
  });
});
