import { describe, expect, it } from "vitest";
import {
  bodyOf,
  EMPTY,
  faultsOf,
  nobody,
  subdomainFrom,
  type Draft,
} from "@/features/organizations/logic/draft";

const ada = { ...nobody(1, "provider_admin"), email: "ada@example.com", firstName: "Ada", lastName: "Admin" };
const max = { ...nobody(2, "member"), email: "max@example.com", firstName: "Max", lastName: "Member" };
const WHOLE: Draft = {
  ...EMPTY,
  name: "The north clinic",
  contactEmail: "office@example.com",
  subdomain: "north",
  users: [ada, max],
};

describe("faultsOf", () => {
  it("asks for what is missing, field by field", () => {
    expect(Object.keys(faultsOf(EMPTY)).sort()).toEqual([
      "contactEmail",
      "name",
      "subdomain",
      "users.0.email",
      "users.0.firstName",
      "users.0.lastName",
    ]);
    expect(faultsOf(WHOLE)).toEqual({});
  });

  it.each<[Partial<Draft>, string, RegExp]>([
    [{ name: "   " }, "name", /called/],
    [{ name: "x".repeat(101) }, "name", /100/],
    [{ contactEmail: "office@example" }, "contactEmail", /such as/],
    [{ contactEmail: "office @example.com" }, "contactEmail", /such as/],
    [{ subdomain: "no" }, "subdomain", /3/],
    [{ subdomain: "x".repeat(64) }, "subdomain", /63/],
    [{ subdomain: "-north" }, "subdomain", /hyphen/],
    [{ subdomain: "north-" }, "subdomain", /hyphen/],
    [{ subdomain: "nörd" }, "subdomain", /a to z/],
    [{ subdomain: "n_" }, "subdomain", /a to z/],
    [{ type: "partner" }, "parentId", /Whose/],
    [{ users: [{ ...ada, role: "partner_admin" }, max] }, "users", /provider admin/],
    [{ users: [ada, { ...max, email: " ADA@example.com " }] }, "users.1.email", /once/],
    [{ users: [ada, { ...max, email: "" }] }, "users.1.email", /sent/],
    [{ dnsMinutes: 0 }, "dnsPropagationTimeoutSeconds", /1 to 45/],
    [{ dnsMinutes: 46 }, "dnsPropagationTimeoutSeconds", /1 to 45/],
    [{ dnsMinutes: 2.5 }, "dnsPropagationTimeoutSeconds", /Whole/],
    [{ dnsMinutes: "" }, "dnsPropagationTimeoutSeconds", /1 to 45/],
  ])("finds %o at fault", (part, field, words) => {
    const faults = faultsOf({ ...WHOLE, ...part });
    expect(Object.keys(faults)).toEqual([field]);
    expect(faults[field]).toMatch(words);
  });

  it.each(["a-1", "0-9", "x".repeat(63)])("takes %s as a subdomain", (subdomain) => {
    expect(faultsOf({ ...WHOLE, subdomain })).toEqual({});
  });
});

describe("bodyOf", () => {
  it("has no blanks around words, and seconds in place of minutes", () => {
    const users = [{ ...ada, email: " ada@example.com ", firstName: " Ada " }];
    expect(bodyOf({ ...WHOLE, name: " The north clinic ", users, dnsMinutes: 45 })).toEqual({
      name: "The north clinic",
      type: "provider",
      parentId: null,
      contactEmail: "office@example.com",
      subdomain: "north",
      users: [{ email: "ada@example.com", firstName: "Ada", lastName: "Admin", role: "provider_admin" }],
      dnsPropagationTimeoutSeconds: 2_700,
    });
  });

  it("names a parent for partners alone", () => {
    expect(bodyOf({ ...WHOLE, type: "partner", parentId: "p" }).parentId).toBe("p");
    expect(bodyOf({ ...WHOLE, type: "provider", parentId: "p" }).parentId).toBeNull();
  });
});

it.each([
  ["Nördliche Klinik", "nordliche-klinik"],
  ["  The north & the south  ", "the-north-the-south"],
  ["Клиника", ""],
  [`${"a".repeat(62)} b`, "a".repeat(62)],
])("proposes for %o the subdomain %o", (name, subdomain) => {
  expect(subdomainFrom(name)).toBe(subdomain);
});
