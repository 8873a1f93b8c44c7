import { describe, expect, it } from "vitest";
import { marked, matrixOf, rowsOf, saidIn, uniform } from "@/kit/preferences/matrix";
import type { Preference } from "@/kit/preferences/schemas";

const orders = { id: "orders", name: "Orders", description: null, required: false };
const news = { id: "news", name: "News", description: null, required: false };
const security = { id: "security", name: "Security", description: null, required: true };
const rows = [orders, news, security];

function said(...words: [string, string, boolean][]): Preference[] {
  return words.map(([category, channel, wanted]) => ({ category, channel, wanted }));
}

describe("what is wanted", () => {
  it("is everything where nothing is said", () => {
    expect(uniform(matrixOf([], rows)["orders"] ?? ({} as never))).toBe(true);
  });

  it("is what the closest says: category and channel, category, channel, all", () => {
    const matrix = matrixOf(
      said(["*", "*", false], ["*", "email", true], ["orders", "*", false], ["orders", "sms", true]),
      rows,
    );
    expect(matrix["orders"]).toMatchObject({ email: false, sms: true });
    expect(matrix["news"]).toMatchObject({ email: true, sms: false });
  });

  it("holds what is required, whatever was said", () => {
    const matrix = matrixOf(said(["*", "*", false], ["security", "*", false]), rows);
    expect(uniform(matrix["security"] ?? ({} as never))).toBe(true);
  });

  it("has a row for a category that is gone, where somebody spoke of it", () => {
    expect(rowsOf(rows, said(["old", "*", false])).map(({ id }) => id)).toEqual([
      "orders",
      "news",
      "security",
      "old",
    ]);
  });
});

describe("a mark", () => {
  it("for everything changes every row but what is required", () => {
    const matrix = marked(matrixOf([], rows), rows, { category: "*", channel: "email" }, false);
    expect(matrix["orders"]?.email).toBe(false);
    expect(matrix["*"]?.email).toBe(false);
    expect(matrix["security"]?.email).toBe(true);
    expect(saidIn(matrix, rows)).toEqual(said(["*", "email", false]));
  });

  it("for one cell says one word", () => {
    const matrix = marked(matrixOf([], rows), rows, { category: "news", channel: "sms" }, false);
    expect(saidIn(matrix, rows)).toEqual(said(["news", "sms", false]));
  });

  it("for a whole row says one word, and stands against everything", () => {
    const none = marked(matrixOf([], rows), rows, { category: "*", channel: "*" }, false);
    const matrix = marked(none, rows, { category: "orders", channel: "*" }, true);
    expect(saidIn(matrix, rows)).toEqual(said(["*", "*", false], ["orders", "*", true]));
  });

  it("that is taken back leaves nothing said", () => {
    const once = marked(matrixOf([], rows), rows, { category: "news", channel: "*" }, false);
    expect(saidIn(marked(once, rows, { category: "news", channel: "*" }, true), rows)).toEqual([]);
  });
});

it("says again what it was read from", () => {
  for (const words of [
    said(["*", "email", false]),
    said(["news", "*", false], ["orders", "push", false]),
    said(["*", "*", false], ["news", "email", true]),
  ]) {
    const read = matrixOf(words, rows);
    expect(matrixOf(saidIn(read, rows), rows)).toEqual(read);
  }
});
