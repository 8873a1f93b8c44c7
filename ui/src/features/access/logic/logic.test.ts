import { describe, expect, it } from "vitest";
import { scopesInWords } from "@/features/access/logic/scopes";
import { stateOf, whyFixed, whyKept } from "@/features/access/logic/standing";
import type { ApiKey, User } from "@/features/access/schemas";

const key: ApiKey = {
  id: "1",
  userId: "2",
  name: "Site",
  scopes: [],
  createdAt: "2026-11-01T00:00:00Z",
  expiresAt: null,
  revokedAt: null,
};

function user(id: string, more: Partial<User> = {}): User {
  return {
    id,
    email: `${id}@example.com`,
    name: id,
    role: "member",
    operator: false,
    disabled: false,
    person: null,
    lastSignInAt: null,
    ...more,
  };
}

it("tells the state of a key; revoked before expired", () => {
  const now = new Date("2026-11-16T00:00:00Z").getTime();
  expect(stateOf(key, now)).toBe("in use");
  expect(stateOf({ ...key, expiresAt: "2026-11-15T00:00:00Z" }, now)).toBe("expired");
  expect(stateOf({ ...key, expiresAt: "2026-11-17T00:00:00Z" }, now)).toBe("in use");
  expect(stateOf({ ...key, expiresAt: "2026-11-15T00:00:00Z", revokedAt: "2026-11-14T00:00:00Z" }, now)).toBe(
    "revoked",
  );
});

it("says scopes briefly", () => {
  expect(scopesInWords(["facts:write"])).toBe("facts:write");
  expect(scopesInWords(["facts:write", "inbox"])).toBe("facts:write, inbox");
  expect(scopesInWords(["facts:write", "inbox", "rules:read", "rules:write"])).toBe(
    "facts:write, inbox and 2 more",
  );
});

describe("a user", () => {
  const admin = { userId: "a", operator: false };

  it("is kept where they are the last admin, and that is certain", () => {
    const among = [user("a", { role: "admin" }), user("b")];
    expect(whyKept(among[0] ?? user("a"), among, true, { userId: "x", operator: true })).toContain(
      "last admin",
    );
    expect(whyKept(among[0] ?? user("a"), among, false, { userId: "x", operator: true })).toBeNull();
  });

  it("does not remove themselves", () => {
    const among = [user("a", { role: "admin" }), user("b", { role: "admin" })];
    expect(whyKept(among[0] ?? user("a"), among, true, admin)).toContain("Not yourself");
    expect(whyKept(among[1] ?? user("b"), among, true, admin)).toBeNull();
  });

  it("who runs the installation is managed by their like", () => {
    expect(whyFixed(user("o", { operator: true }), admin)).toContain("Operators");
    expect(whyFixed(user("o", { operator: true }), { userId: "p", operator: true })).toBeNull();
  });
});
