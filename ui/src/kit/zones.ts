import { viewersZone } from "@/kit/time";

/** The zones that one meets first, west to east; the viewer's own stands before them. */
const COMMON = [
  "America/Los_Angeles",
  "America/Chicago",
  "America/New_York",
  "America/Sao_Paulo",
  "UTC",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Rome",
  "Europe/Athens",
  "Asia/Dubai",
  "Asia/Kolkata",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
];

/** All zones, the common ones first; `chosen` is among them whatever the browser knows. */
export function zoneGroups(chosen: string | null, own = viewersZone()): { group: string; items: string[] }[] {
  const common = [...new Set([own, ...COMMON])];
  const first = new Set(common);
  const others = new Set(Intl.supportedValuesOf("timeZone").filter((zone) => !first.has(zone)));
  if (chosen !== null && !first.has(chosen)) others.add(chosen);
  return [
    { group: "Common", items: common },
    { group: "All", items: [...others].sort() },
  ];
}

/** "GMT+1": how far its clocks are from Greenwich at a moment. */
export function offsetOf(zone: string, moment = new Date()): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" });
  return parts.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** Found by its name in any spelling: "new york" and "York" are America/New_York. */
export function zoneMatches(zone: string, search: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[_/ ]+/g, " ")
      .trim();
  return plain(zone).includes(plain(search));
}
