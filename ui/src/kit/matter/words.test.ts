import { describe, expect, it } from "vitest";
import { ahead, quicker } from "@/kit/matter/act";
import type { Handled } from "@/kit/matter/schemas";
import { knownZone, wayTo } from "@/kit/matter/way";
import { handledInWords, nameOf, on } from "@/kit/matter/words";
import { Problem } from "@/kit/problem";
import { clock } from "@/kit/time";

const at = "2026-11-18T12:04:00Z";
const handled: Handled = {
  action: "CONFIRMED",
  by: { id: "p", name: "The host" },
  at,
  note: null,
  proposedTime: null,
};

describe("handledInWords", () => {
  const now = new Date("2026-11-18T12:30:00Z");

  it("says who, how and when", () => {
    expect(handledInWords(handled, "me", now)).toBe(`Handled by The host: confirmed, ${clock(at)}`);
  });

  it("says you to who did it", () => {
    expect(handledInWords(handled, "p", now)).toContain("Handled by you: confirmed");
  });

  it("has a word for who is not here any more", () => {
    expect(nameOf({ id: null, name: null }, null)).toBe("somebody");
  });

  it("names the day where it was another one", () => {
    expect(on(at, new Date("2026-11-18T23:00:00Z"), "UTC")).toBe(clock(at, "UTC"));
    expect(on(at, new Date("2026-11-19T00:00:00Z"), "UTC")).toContain("18");
    expect(on("2026-11-18T23:30:00Z", new Date("2026-11-19T00:10:00Z"), "Europe/Rome")).toBe(
      clock("2026-11-18T23:30:00Z", "Europe/Rome"),
    );
  });
});

describe("acting", () => {
  it("shows ahead of time what will be", () => {
    expect(ahead({ action: "CONFIRMED" }, "p", new Date(at))).toEqual({
      ...handled,
      at: new Date(at).toISOString(),
      by: { id: "p", name: null },
    });
  });

  it("reads who was quicker from a refusal, and from nothing else", () => {
    const told = { type: "already-handled", title: "", detail: "", status: 409 };
    expect(quicker(new Problem({ ...told, handled }))).toEqual(handled);
    expect(quicker(new Problem(told))).toBeNull();
    expect(quicker(new Problem({ ...told, status: 422, handled }))).toBeNull();
    expect(quicker(new Error("away"))).toBeNull();
  });
});

describe("wayTo", () => {
  const here = "https://tidings.example.com";

  it.each([
    ["https://tidings.example.com/reservations/7?a=1", { is: "page", to: "/reservations/7?a=1" }],
    ["/events/3", { is: "page", to: "/events/3" }],
    ["https://example.com/x", { is: "elsewhere", href: "https://example.com/x" }],
    ["javascript:alert(1)", null],
    ["data:text/html,hello", null],
    ["https://", null],
  ])("%s", (address, way) => {
    expect(wayTo(address, here)).toEqual(way);
  });

  it("takes a zone that the browser knows, and no other", () => {
    expect(knownZone("Europe/Rome")).toBe("Europe/Rome");
    expect(knownZone("Middle/Earth")).toBeNull();
    expect(knownZone(null)).toBeNull();
  });
});
