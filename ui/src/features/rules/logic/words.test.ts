import { describe, expect, it } from "vitest";
import { draftOf, emptyDraft, partsOf } from "@/features/rules/logic/draft";
import {
  audienceInWords,
  conditionInWords,
  delayInWords,
  ruleInWords,
  saidIn,
} from "@/features/rules/logic/words";
import type { RuleParts, Selector } from "@/features/rules/schemas";

const rule: RuleParts = {
  ...partsOf(emptyDraft("order.paid")),
  channels: ["email", "push", "slack"],
  title: "Order is paid",
};
const who = (given: Partial<Selector>): Selector[] => [
  { by: "everyone", values: null, field: null, userType: null, ...given },
];

describe("a rule in words", () => {
  it("says when, whom, how and what", () => {
    expect(saidIn(ruleInWords(rule))).toBe(
      "When order.paid is recorded, tell everyone by e-mail, push and Slack at once: “Order is paid”.",
    );
  });

  it("shows what is still to be chosen as gaps", () => {
    const gaps = ruleInWords(partsOf(draftOf({ ...rule, factType: "", channels: [], title: "" })))
      .filter((piece) => piece.is === "gap")
      .map((piece) => piece.text);
    expect(gaps).toEqual(["some fact", "some channel", "what is to be said"]);
  });

  it("tells of the delay, of quiet hours and of being switched off", () => {
    const later = { ...rule, delay: "2h", level: "critical" as const, enabled: false };
    expect(saidIn(ruleInWords(later))).toContain(
      "Slack, 2 hours later: “Order is paid”. Quiet hours do not hold it back. It is switched off.",
    );
  });
});

describe("conditions in words", () => {
  it("puts brackets only where and meets or", () => {
    const condition = {
      all: [
        { field: "amount", greater: 100 },
        {
          any: [
            { field: "country", in: ["IT", "DE"] },
            { field: "express", equals: true },
          ],
        },
      ],
    };
    expect(conditionInWords(condition)).toBe(
      "amount is more than 100 and (country is IT or DE or express is true)",
    );
  });
});

describe("audience in words", () => {
  it.each([
    [who({ userType: "staff" }), "everyone of type staff"],
    [
      who({ by: "group", field: "shop.id", userType: "manager" }),
      "the group named in shop.id (only of type manager)",
    ],
    [who({ by: "group", values: ["a", "b"] }), "the groups a and b"],
    [who({ by: "userType", values: ["owner", "staff"] }), "people of type owner or staff"],
    [
      [...who({ by: "person", values: ["x"] }), ...who({ by: "topic", values: ["news"] })],
      "one person and subscribers of news",
    ],
  ])("%j is %s", (audience, expected) => {
    expect(audienceInWords(audience)).toBe(expected);
  });
});

it.each([
  ["1d", "1 day"],
  ["15m", "15 minutes"],
  ["soon", "soon"],
])("%s is %s", (delay, expected) => {
  expect(delayInWords(delay)).toBe(expected);
});
