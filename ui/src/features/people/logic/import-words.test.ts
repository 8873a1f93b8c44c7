import { describe, expect, it } from "vitest";
import { importInWords, progressOf } from "@/features/people/logic/import-words";
import type { Import } from "@/features/people/schemas";

const begun: Import = {
  id: "i-1",
  status: "receiving",
  dryRun: false,
  file: null,
  rows: 1,
  wrong: 0,
  created: 0,
  updated: 0,
  error: null,
  createdAt: "2026-11-16T09:00:00Z",
  finishedAt: null,
};

describe("an import in words", () => {
  it.each<[Partial<Import>, string]>([
    [{}, "1 row read so far"],
    [{ rows: 20, wrong: 2 }, "20 rows read so far, 2 of them wrong"],
    [{ status: "applying", rows: 20 }, "Applying 20 rows"],
    [{ status: "done", created: 1, updated: 7 }, "1 person created, 7 people changed"],
    [{ status: "done", updated: 1 }, "Nobody created, 1 person changed"],
    [{ status: "done", dryRun: true, created: 2 }, "2 people would be created, nobody would be changed"],
    [
      { status: "refused", error: "1 row is wrong; nobody was changed." },
      "1 row is wrong; nobody was changed.",
    ],
  ])("%j is %s", (change, words) => {
    expect(importInWords({ ...begun, ...change })).toBe(words);
  });
});

describe("progress", () => {
  it("is nothing before the first row, and never whole while rows are read", () => {
    expect(progressOf(undefined, 10)).toBe(0);
    expect(progressOf({ ...begun, rows: 5 }, 10)).toBe(50);
    expect(progressOf({ ...begun, rows: 12 }, 10)).toBe(99);
    expect(progressOf({ ...begun, status: "applying" }, 10)).toBe(100);
  });
});
