import { describe, expect, it } from "vitest";
import { detailOf, factInWords, grantsOf } from "@/features/organizations/logic/facts";
import { passwordsSchema } from "@/features/organizations/logic/passwords";
import { refusalIn } from "@/features/organizations/logic/refusals";
import { keyMaker } from "@/features/organizations/logic/request-key";
import { takenIn } from "@/features/organizations/logic/taken";
import { isOpen, isTurned, roleInWords } from "@/features/organizations/logic/words";
import type { OrganizationFact } from "@/features/organizations/schemas";
import { statuses } from "@/features/organizations/searches";
import { Problem } from "@/kit/problem";

function fact(type: string, data: Record<string, unknown> = {}): OrganizationFact {
  return { id: "f", version: 1, type, data, actor: null, occurredAt: "2026-11-19T12:00:00Z" };
}

function problem(status: number, name: string): Problem {
  return new Problem({
    status,
    type: `https://tidings.example/errors/${name}`,
    title: name,
    detail: "It is so",
  });
}

describe("a fact", () => {
  it.each<[string, Record<string, unknown>, string | null]>([
    ["organization.created", { path: ["north", "lake"] }, "north.lake"],
    ["organization.permissions.granted", { grants: { member: ["organization.read"] } }, "for 1 role"],
    [
      "organization.dns.configured",
      { fqdn: "north.example.org", target: "app.example.org", ours: true },
      "north.example.org leads to app.example.org",
    ],
    [
      "organization.dns.configured",
      { fqdn: "north.example.org", target: "app.example.org", ours: false },
      "north.example.org leads to app.example.org, by a record that was there",
    ],
    ["organization.subdomain.verified", { method: "dns_quorum", quorum: "2/3" }, "2/3 resolvers know it"],
    ["user.invited", { role: "provider_admin" }, "as provider admin"],
    [
      "organization.undo.failed",
      { step: "removeDns", error: "no answer" },
      "remove its DNS record: no answer",
    ],
    ["organization.undo.done", { step: "removeDns" }, "remove its DNS record"],
    ["organization.bootstrap.failed", { error: "DNS has not propagated" }, "DNS has not propagated"],
    ["invitation.revoked", { reason: "by an admin" }, "by an admin"],
    ["organization.deactivated", {}, null],
  ])("%s says what is worth knowing of %o", (type, data, detail) => {
    expect(detailOf(fact(type, data))).toBe(detail);
  });

  it("of a type that is not known is called by it", () => {
    expect(factInWords("organization.renamed")).toBe("organization.renamed");
  });

  it("of permissions counts where it is the last of them", () => {
    const granted = fact("organization.permissions.granted", {
      grants: { member: ["a", 7], odd: "no list" },
    });
    const created = fact("organization.created");
    expect(grantsOf([created, granted, created])).toEqual({ member: ["a"], odd: [] });
    expect(grantsOf([granted, fact("organization.permissions.revoked")])).toEqual({});
    expect(grantsOf([created])).toEqual({});
  });
});

describe("a subdomain that somebody has meanwhile", () => {
  it("is a fault of its field", () => {
    const taken = takenIn(problem(409, "subdomain-taken"));
    expect(taken).toMatchObject({ status: 422, fields: { subdomain: "It is so" } });
  });

  it.each([problem(409, "no-domain"), new Error("away")])("is not what %s says", (error) => {
    expect(takenIn(error)).toBe(error);
  });
});

describe("an invitation", () => {
  it.each([
    [problem(404, "not-found"), "unknown"],
    [problem(422, "validation-failed"), "unknown"],
    [problem(409, "invitation-superseded"), "superseded"],
    [problem(409, "organization-not-ready"), "not-ready"],
    [problem(409, "conflict"), null],
    [problem(503, "unavailable"), null],
    [new TypeError("nobody answers"), null],
    [null, null],
  ])("%s: it cannot be accepted as %o", (error, refusal) => {
    expect(refusalIn(error)).toBe(refusal);
  });

  it("wants a new password twice and long, and takes the present one as it is", () => {
    const accepts = (hasLogin: boolean, password: string, again: string) =>
      passwordsSchema(hasLogin).safeParse({ password, again }).success;
    expect(accepts(false, "long enough", "long enough")).toBe(true);
    expect(accepts(false, "long enough", "long enough?")).toBe(false);
    expect(accepts(false, "too short", "too short")).toBe(false);
    expect(accepts(false, "x".repeat(257), "x".repeat(257))).toBe(false);
    expect(accepts(true, "short", "")).toBe(true);
    expect(accepts(true, "", "")).toBe(false);
  });
});

it("is sent again under the same key, and under another once it was changed", () => {
  const keyOf = keyMaker();
  const [first, again, changed, back] = ["a", "a", "b", "a"].map(keyOf);
  expect(again).toBe(first);
  expect(new Set([first, changed, back]).size).toBe(3);
});

it("is on its way, has turned, or both, by its status", () => {
  expect(statuses.filter(isOpen)).toEqual(["initiated", "running", "compensating"]);
  expect(statuses.filter(isTurned)).toEqual(["compensating", "failed", "cancelled"]);
});

it("calls roles that an operator has added by their names", () => {
  expect([roleInWords("provider_admin"), roleInWords("night_shift")]).toEqual([
    "provider admin",
    "night shift",
  ]);
});
