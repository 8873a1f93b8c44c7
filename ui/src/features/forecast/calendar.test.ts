import { describe, expect, it } from "vitest";
import { busyDays, dayOf, weeks } from "@/features/forecast/calendar";
import type { Expected } from "@/features/forecast/schemas";

function expected(day: string, name: string, count: number, hour = 9): Expected {
  return { day, hour, what: name.includes(".") ? "intent" : "delivery", name, count };
}

describe("weeks", () => {
  it("are whole ones, from Monday to Sunday", () => {
    const calendar = weeks([], "2026-11-18", "2026-11-24");
    expect(calendar.map((week) => week.length)).toEqual([7, 7]);
    expect([calendar[0]?.[0]?.date, calendar[1]?.[6]?.date]).toEqual(["2026-11-16", "2026-11-29"]);
  });

  it("know which days the forecast reaches, and which is today", () => {
    const days = weeks([], "2026-11-18", "2026-11-20").flat();
    expect(days.filter(({ within }) => within).map(({ date }) => date)).toEqual([
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
    ]);
    expect(days.find(({ today }) => today)?.date).toBe("2026-11-18");
  });

  it("go on over the end of a year", () => {
    const days = weeks([], "2026-12-30", "2027-01-02").flat();
    expect(days.map(({ date }) => date)).toContain("2027-01-01");
  });

  it("count the hours of a day together, the most first", () => {
    const hours = [
      expected("2026-11-18", "email", 2, 8),
      expected("2026-11-18", "email", 3, 9),
      expected("2026-11-18", "reminder.send", 9),
      expected("2026-11-19", "push", 7),
    ];
    const [busiest, next] = busyDays(weeks(hours, "2026-11-18", "2026-11-24"));
    expect(busiest?.kinds).toEqual([
      { what: "intent", name: "reminder.send", count: 9 },
      { what: "delivery", name: "email", count: 5 },
    ]);
    expect([busiest?.total, busiest?.fullness, next?.fullness]).toEqual([14, 1, 0.5]);
  });
});

describe("dayOf", () => {
  it("is that of the zone", () => {
    expect(dayOf("2026-11-16T23:30:00Z", "Europe/Rome")).toBe("2026-11-17");
    expect(dayOf("2026-11-16T23:30:00Z", "America/New_York")).toBe("2026-11-16");
  });
});
