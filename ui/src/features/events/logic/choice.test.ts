import { describe, expect, it } from "vitest";
import {
  choiceOf,
  isSame,
  placesToChoose,
  reachesSomething,
  selectorsOf,
} from "@/features/events/logic/choice";

const MINE = [
  { id: "a", name: "Team chat", tags: ["work", "loud"], active: true },
  { id: "b", name: "Old phone", tags: ["loud"], active: false },
];

describe("placesToChoose", () => {
  it("has integrations by name, and each tag once", () => {
    const groups = placesToChoose(MINE, []);
    expect(groups.map(({ group, items }) => [group, items.map(({ label }) => label)])).toEqual([
      ["Integrations", ["Team chat", "Old phone (turned off)"]],
      ["Tags", ["all tagged “loud”", "all tagged “work”"]],
    ]);
  });

  it("keeps what was chosen and is gone, and says so", () => {
    const gone = placesToChoose(MINE, ["integration:z", "tag:quiet"]).at(-1);
    expect(gone?.items.map(({ label }) => label)).toEqual([
      "one that was removed",
      "“quiet” (no integration has it)",
    ]);
  });
});

it("comes and goes as selectors", () => {
  const places = ["integration:a", "tag:loud"];
  expect(selectorsOf(places)).toEqual([{ integrationId: "a" }, { tag: "loud" }]);
  const subscription = {
    id: 1,
    personId: "p",
    person: "P",
    createdAt: "",
    reminderOffsets: [600, 3600],
    selectors: [
      { integrationId: "a", tag: null },
      { integrationId: null, tag: "loud" },
    ],
  };
  expect(choiceOf(subscription)).toEqual({ offsets: [3600, 600], places });
});

it("is the same in any order", () => {
  expect(isSame({ offsets: [1, 2], places: ["x", "y"] }, { offsets: [2, 1], places: ["y", "x"] })).toBe(true);
  expect(isSame({ offsets: [], places: [] }, { offsets: [0], places: [] })).toBe(false);
});

it("knows where nothing would arrive", () => {
  expect(reachesSomething(MINE, [])).toBe(true);
  expect(reachesSomething(MINE, ["tag:loud"])).toBe(true);
  expect(reachesSomething(MINE, ["integration:b"])).toBe(false);
  expect(reachesSomething(MINE, ["integration:z"])).toBe(false);
});
