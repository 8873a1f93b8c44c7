import { describe, expect, it } from "vitest";
import { missingParents, placesOf } from "@/features/organizations/logic/tree";
import type { Organization } from "@/features/organizations/schemas";

function organization(id: string, parentId: string | null = null): Organization {
  return {
    id,
    name: id,
    type: parentId === null ? "provider" : "partner",
    parentId,
    contact: { id: null, name: null },
    subdomain: id,
    domain: `${id}.example.org`,
    path: id,
    status: "completed",
    active: true,
    subdomainStatus: "verified",
    stage: null,
    error: null,
    leftOver: [],
    mayManage: true,
    createdAt: "2026-11-19T12:00:00Z",
    closedAt: null,
  };
}

const [north, south] = [organization("north"), organization("south")];
const [lake, hill] = [organization("lake", "north"), organization("hill", "north")];
const pier = organization("pier", "lake");

function shown(asked: Organization[], above: Organization[] = []): string[] {
  return placesOf(asked, above).map(
    ({ organization: { id }, depth, context }) => `${"·".repeat(depth)}${id}${context ? " (above)" : ""}`,
  );
}

describe("placesOf", () => {
  it("has partners right below their parents, each in the order in which it came", () => {
    expect(shown([pier, hill, south, lake, north])).toEqual(["south", "north", "·hill", "·lake", "··pier"]);
  });

  it("leads to what was asked for by those above it", () => {
    expect(shown([pier, south], [lake, north])).toEqual([
      "south",
      "north (above)",
      "·lake (above)",
      "··pier",
    ]);
  });

  it("shows one that was asked for as such, though it is above another", () => {
    expect(shown([lake, north], [north])).toEqual(["north", "·lake"]);
  });

  it("shows at the top what has a parent that nobody may see", () => {
    expect(shown([pier, lake])).toEqual(["lake", "·pier"]);
  });
});

it("misses the parents that are named and not there, each once", () => {
  expect(missingParents([hill, lake, pier, south])).toEqual(["north"]);
  expect(missingParents([north, lake])).toEqual([]);
});
