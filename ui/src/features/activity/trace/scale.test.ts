import { describe, expect, it } from "vitest";
import { makeScale, offset } from "@/features/activity/trace/scale";

const HOUR = 3_600_000;

describe("makeScale", () => {
  it("begins at the fact and ends at the last moment", () => {
    const { at } = makeScale([25, 113]);
    expect([at(0), at(113)]).toEqual([0, 1]);
  });

  it("keeps the order of moments, also of those that it was not told of", () => {
    const { at } = makeScale([10, 40, 2_000, 8 * HOUR]);
    const places = [0, 5, 10, 25, 40, 900, 2_000, HOUR, 8 * HOUR].map(at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBe(places.length);
  });

  it("leaves milliseconds room beside hours", () => {
    const { at } = makeScale([20, 60, 8 * HOUR, 8 * HOUR + 30]);
    expect(at(20)).toBeGreaterThan(0.05);
    expect(1 - at(8 * HOUR)).toBeGreaterThan(0.05);
  });

  it("says how long a stretch was in which nothing happened", () => {
    expect(makeScale([20, 8 * HOUR]).pauses.map(({ says }) => says)).toEqual(["7 h 59 min"]);
    expect(makeScale([20, 2_000]).pauses).toEqual([]);
  });

  it("puts what is outside to the ends", () => {
    const { at } = makeScale([100]);
    expect([at(-5), at(200)]).toEqual([0, 1]);
  });

  it("stands still where nothing followed", () => {
    const { at, ticks } = makeScale([]);
    expect([at(0), ticks.map(({ says }) => says)]).toEqual([0, ["0"]]);
  });

  it("gives a burst of many no more room than one of few", () => {
    const burst = Array.from({ length: 400 }, (_, n) => 90_000 + n * 3);
    const { at } = makeScale([30, ...burst, 8 * HOUR]);
    expect(at(90_000)).toBeGreaterThan(0.25);
    expect(at(91_200) - at(90_000)).toBeLessThan(0.5);
  });

  it("names no more moments than have room, and the last one always", () => {
    const { ticks } = makeScale(
      Array.from({ length: 500 }, (_, n) => n * 7),
      0.2,
    );
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)).toEqual({ x: 1, says: "+3.5 s" });
    const gaps = ticks.slice(1).map(({ x }, n) => x - (ticks[n]?.x ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0.19);
  });
});

describe("offset", () => {
  it.each([
    [0, "0"],
    [12, "+12 ms"],
    [190_000, "+3 min 10 s"],
  ])("%d is %s", (milliseconds, says) => expect(offset(milliseconds)).toBe(says));
});
