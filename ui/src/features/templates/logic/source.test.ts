import { describe, expect, it } from "vitest";
import { catalogued } from "@/features/templates/logic/catalogue";
import { isLocale, localeInWords } from "@/kit/locales";
import { bodyOf, emptySource, faultsIn, partsOf } from "@/features/templates/logic/source";
import type { Template } from "@/features/templates/schemas";
import { seenIn } from "@/kit/HtmlFrame";
import { inSms } from "@/kit/message/Bubble";
import { Problem } from "@/kit/problem";
import { lineIn } from "@/kit/SourceEditor";

describe("a source", () => {
  it("leaves out what is empty", () => {
    expect(bodyOf({ ...emptySource, text: "Hello" })).toEqual({ text: "Hello" });
  });

  it("has the parts of its channel", () => {
    expect(partsOf("email")).toEqual(["subject", "markup", "text"]);
    expect(partsOf("sms")).toEqual(["text"]);
  });

  it("finds its faults in a preview and in saving alike", () => {
    const errors = [
      { field: "source.text", message: "line 3: there is no 'zz' here" },
      { field: "subject", message: "is missing" },
    ];
    const faults = faultsIn(new Problem({ type: "", title: "", status: 422, detail: "", errors }));
    expect(faults).toEqual({ text: "line 3: there is no 'zz' here", subject: "is missing" });
    expect(lineIn(faults.text)).toBe(3);
    expect(lineIn(faults.subject)).toBeUndefined();
  });
});

describe("the catalogue", () => {
  it("is by name and then by channel", () => {
    const one = { name: "notice", channel: "email", locale: "" } as Template;
    const found = catalogued([
      one,
      { ...one, locale: "it" },
      { ...one, channel: "sms" },
      { ...one, name: "other" },
    ]);
    expect(
      found.map(({ name, channels }) => [name, channels.map(({ templates }) => templates.length)]),
    ).toEqual([
      ["notice", [2, 1]],
      ["other", [1]],
    ]);
  });
});

describe("a language", () => {
  it.each([
    ["", "every language"],
    ["it", "Italian (it)"],
    ["not a language", "not a language"],
  ])("%s is %s", (locale, expected) => {
    expect(localeInWords(locale)).toBe(expected);
  });

  it("is a tag", () => {
    expect([isLocale("pt-BR"), isLocale("Italian!")]).toEqual([true, false]);
  });
});

describe("an SMS", () => {
  it.each([
    ["a".repeat(160), "160 characters, one SMS"],
    ["a".repeat(161), "161 characters, 2 SMS"],
    ["→".repeat(71), "71 characters, 2 SMS"],
  ])("of %s", (text, expected) => {
    expect(inSms(text)).toBe(expected);
  });
});

describe("a reader's colours", () => {
  const html = "@media (prefers-color-scheme: dark) { a { color: red } }";

  it.each([
    ["dark", "@media (min-width: 0px) { a { color: red } }"],
    ["light", "@media (max-width: 0px) { a { color: red } }"],
  ] as const)("%s", (scheme, expected) => {
    expect(seenIn(scheme, html)).toBe(expected);
  });
});
