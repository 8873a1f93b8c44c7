import { describe, expect, it } from "vitest";
import { conditionsOf, rootOf } from "@/features/rules/logic/condition-draft";
import type { Condition } from "@/features/rules/logic/conditions";
import { changesOf, draftOf, emptyDraft, isChanged, missingIn, partsOf } from "@/features/rules/logic/draft";
import { faultsIn, within } from "@/features/rules/logic/faults";
import { pathsIn } from "@/features/rules/logic/paths";
import { valueOf, written } from "@/features/rules/logic/values";
import { Problem } from "@/kit/problem";

describe("values", () => {
  it.each([
    ["100", 100],
    ["-1.5e3", -1500],
    ["007", "007"],
    ["true", true],
    ["null", null],
    ['"100"', "100"],
    ["IT", "IT"],
    ['"', '"'],
  ])("%s is read as %j, and comes back", (text, value) => {
    expect(valueOf(text)).toBe(value);
    expect(valueOf(written(value))).toBe(value);
  });
});

describe("conditions", () => {
  const every: Condition = {
    all: [
      { field: "a", equals: "1" },
      { field: "b", notEquals: null },
      {
        any: [
          { field: "c", in: ["x", 2] },
          { field: "d", exists: false },
          { field: "e", exists: true },
        ],
      },
      { field: "f.0.g", greater: 3 },
      { field: "h", less: "2026-11-16T09:00:00Z" },
    ],
  };

  it("are the same after having been in the form", () => {
    expect(conditionsOf(rootOf(every))).toEqual(every);
  });

  it("are none where none are written", () => {
    expect(conditionsOf(rootOf(null))).toBeNull();
  });
});

describe("a draft", () => {
  it("sends only what is different", () => {
    const before = draftOf({ ...partsOf(emptyDraft("order.paid")), delay: "2h" });
    expect(isChanged(before, structuredClone(before))).toBe(false);
    expect(changesOf(before, { ...before, delay: "", title: "Other" })).toEqual({
      delay: null,
      title: "Other",
    });
  });

  it("says what is missing before it can be tried", () => {
    expect(missingIn(emptyDraft())).toEqual(["a fact type", "a title", "a body", "a channel"]);
    expect(missingIn({ ...emptyDraft("a.b"), audience: [] })).toContain("who is told");
  });
});

describe("paths of data", () => {
  it("lead to every value, with the first sample", () => {
    const known = pathsIn([
      { a: 1, shop: { id: "s" }, lines: [{ sku: "A" }, { sku: "B" }], "x.y": 1 },
      { a: 2, b: true },
    ]);
    expect(known).toEqual([
      { path: "a", sample: 1 },
      { path: "shop.id", sample: "s" },
      { path: "lines.0.sku", sample: "A" },
      { path: "b", sample: true },
    ]);
  });
});

describe("faults", () => {
  it("of a dry run are found under the names of the form", () => {
    const errors = [{ field: "rule.audience.0.values.3", message: "must be the id of a person" }];
    const faults = faultsIn(new Problem({ type: "", title: "", status: 422, detail: "", errors }));
    expect(within(faults, "audience.0.values")).toBe("must be the id of a person");
    expect(within(faults, "audience.0.value")).toBeUndefined();
  });
});
