import { expect, it } from "vitest";
import { offsetOf, zoneGroups, zoneMatches } from "@/kit/zones";

it("puts the viewer's own zone first, the common ones next, and names each once", () => {
  const [common, all] = zoneGroups(null, "Europe/Vienna");
  expect(common?.items[0]).toBe("Europe/Vienna");
  const names = [...(common?.items ?? []), ...(all?.items ?? [])];
  expect(names.length).toBe(new Set(names).size);
  expect(names.length).toBeGreaterThan(300);
});

it("keeps what was chosen, even where the browser has another name for it", () => {
  expect(zoneGroups("Asia/Rangoon")[1]?.items).toContain("Asia/Rangoon");
});

it("finds a zone by how one writes it", () => {
  expect(zoneMatches("America/New_York", "new york")).toBe(true);
  expect(zoneMatches("America/New_York", "america/new")).toBe(true);
  expect(zoneMatches("America/New_York", "Yorkshire")).toBe(false);
});

it("tells how far a zone is from Greenwich, summer and winter", () => {
  expect(offsetOf("Europe/Berlin", new Date("2026-07-01T00:00:00Z"))).toBe("GMT+2");
  expect(offsetOf("Europe/Berlin", new Date("2026-12-01T00:00:00Z"))).toBe("GMT+1");
});
