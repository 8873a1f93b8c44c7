import { describe, expect, it } from "vitest";
import {
  faultIn,
  inOrder,
  offsetInWords,
  offsetsInWords,
  secondsOf,
  span,
} from "@/features/events/logic/offsets";

describe("offsetInWords", () => {
  it.each([
    [604_800, "1 week before"],
    [1_209_600, "2 weeks before"],
    [86_400, "1 day before"],
    [3_600, "1 hour before"],
    [1_800, "30 minutes before"],
    [600, "10 minutes before"],
    [0, "At the start"],
    [97_200, "1 day 3 hours before"],
    [5_430, "1 hour 30 minutes 30 seconds before"],
  ])("%d is %s", (seconds, words) => {
    expect(offsetInWords(seconds)).toBe(words);
  });
});

describe("offsetsInWords", () => {
  it.each([
    [[3600, 86400], "1 day and 1 hour before"],
    [[86400, 3600, 600], "1 day, 1 hour and 10 minutes before"],
    [[0], "at the start"],
    [[600, 0], "10 minutes before and at the start"],
    [[], ""],
  ])("%j is %s", (offsets, words) => {
    expect(offsetsInWords(offsets)).toBe(words);
  });
});

describe("faultIn", () => {
  it.each([
    [null, "hours", /How long/],
    [0, "hours", /More than nothing/],
    [2, "days", null],
    [1, "days", /already/],
    [367, "days", /A year/],
    [53, "weeks", /A year/],
  ] as const)("%s %s: %s", (amount, unit, fault) => {
    const found = faultIn(amount, unit, [86_400]);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatch(fault);
  });

  it("stops at twenty", () => {
    const twenty = Array.from({ length: 20 }, (_, n) => n * 60);
    expect(faultIn(5, "hours", twenty)).toMatch(/At most 20/);
  });
});

it("keeps each once, the earliest first", () => {
  expect(inOrder([600, 86_400, 600, 0])).toEqual([86_400, 600, 0]);
});

it("counts in units", () => {
  expect(secondsOf(1.5, "hours")).toBe(5_400);
  expect(span(45)).toBe("45 seconds");
});
