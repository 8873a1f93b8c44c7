import type { Value } from "@/features/rules/logic/conditions";

export interface KnownPath {
  path: string;
  /** What some fact has there. */
  sample: Value;
}

const DEEPEST = 6;
const MOST = 200;

/** Every path to a value in the data of some facts; the first fact that has one gives the sample. */
export function pathsIn(documents: readonly Record<string, unknown>[]): KnownPath[] {
  const found = new Map<string, Value>();
  for (const document of documents) walk(document, "", 0, found);
  return [...found].slice(0, MOST).map(([path, sample]) => ({ path, sample }));
}

function walk(value: unknown, path: string, depth: number, found: Map<string, Value>): void {
  if (isValue(value)) {
    if (path !== "" && !found.has(path)) found.set(path, value);
    return;
  }
  if (depth >= DEEPEST || typeof value !== "object") return;
  const entries = Array.isArray(value) ? value.slice(0, 1).entries() : Object.entries(value);
  for (const [name, inner] of entries) {
    const step = String(name);
    if (step !== "" && !step.includes("."))
      walk(inner, path === "" ? step : `${path}.${step}`, depth + 1, found);
  }
}

function isValue(value: unknown): value is Value {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
