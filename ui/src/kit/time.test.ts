import { describe, expect, it } from "vitest";
import { clock, elsewhere, fromNow, lasting, showsTheSame, viewersZone } from "@/kit/time";

const now = Date.parse("2026-11-16T12:00:00Z");

describe("fromNow", () => {
  it.each([
    ["2026-11-16T12:00:05Z", /^now$/],
    ["2026-11-16T12:00:40Z", /^in 40 ?s/],
    ["2026-11-16T11:57:00Z", /^3 ?min\.? ago$/],
    ["2026-11-16T15:00:00Z", /^in 3 ?hr\.?$/],
    ["2026-11-15T12:00:00Z", /^yesterday$/],
  ])("%s is %s", (moment, expected) => {
    expect(fromNow(moment, now)).toMatch(expected);
  });
});

describe("lasting", () => {
  it.each([
    [12, "12 ms"],
    [1400, "1.4 s"],
    [190_000, "3 min 10 s"],
    [7_500_000, "2 h 5 min"],
  ])("%d is %s", (milliseconds, expected) => {
    expect(lasting(milliseconds)).toBe(expected);
  });
});

describe("elsewhere", () => {
  const noon = "2026-11-16T12:00:00Z";

  it("says what clocks there show", () => {
    expect(clock(noon, "Asia/Tokyo")).toMatch(/^(21:00|09:00 PM)$/);
    expect(elsewhere(noon, "Asia/Tokyo", "Europe/Rome")).toMatch(/^Mon.* in Asia\/Tokyo$/);
  });

  it("says nothing where they show the same", () => {
    expect(elsewhere(noon, "Europe/Vienna", "Europe/Rome")).toBeNull();
  });
});

describe("showsTheSame", () => {
  it("compares with the viewer's own clock, unless another is named", () => {
    expect(showsTheSame("2026-11-16T12:00:00Z", viewersZone())).toBe(true);
    expect(showsTheSame("2026-11-16T12:00:00Z", "Pacific/Kiritimati")).toBe(false);
    expect(showsTheSame("2026-11-16T12:00:00Z", "Europe/Rome", "Europe/Vienna")).toBe(true);
  });
});
