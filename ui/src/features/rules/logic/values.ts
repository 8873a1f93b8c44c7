import type { Value } from "@/features/rules/logic/conditions";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const WORDS: Record<string, Value> = { true: true, false: false, null: null };

/** What somebody wrote, as what they meant: 100 is a number, true is true, and "100" in quotes is a text. */
export function valueOf(written: string): Value {
  const text = written.trim();
  if (Object.hasOwn(WORDS, text)) return WORDS[text] ?? null;
  if (NUMBER.test(text)) return Number(text);
  return quoted(text) ?? text;
}

function quoted(text: string): string | undefined {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return undefined;
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** As it is written, so that `valueOf` gives it back. */
export function written(value: Value): string {
  if (typeof value !== "string") return String(value);
  return valueOf(value) === value ? value : JSON.stringify(value);
}

export function kindOf(value: Value): "text" | "number" | "true or false" | "nothing" {
  if (value === null) return "nothing";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "number" ? "number" : "text";
}
