import { describe, expect, it } from "vitest";
import { untilRested } from "@/features/channels/logic/resting";
import type { Provider } from "@/features/channels/schemas";

const NOW = Date.parse("2026-11-16T12:00:00Z");

function resting(openUntil: string | null): { circuit: Provider["circuit"] } {
  const state = openUntil === null ? "closed" : "open";
  return { circuit: { state, openUntil, failures: 5, lastError: null, lastErrorAt: null } };
}

describe("the end of a rest", () => {
  it("is that of the first that has rested", () => {
    const providers = [resting("2026-11-16T12:01:00Z"), resting(null), resting("2026-11-16T12:00:30Z")];
    expect(untilRested(providers, NOW)).toBe(31_000);
  });

  it("is not asked for again and again where a clock here goes ahead", () => {
    expect(untilRested([resting("2026-11-16T11:59:00Z")], NOW)).toBe(1_000);
  });

  it("is none where none rests", () => {
    expect(untilRested([resting(null)], NOW)).toBe(false);
    expect(untilRested([], NOW)).toBe(false);
  });
});
