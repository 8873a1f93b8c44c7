/** Of a notice: to how many people it goes, and how its deliveries stand. */
interface Tally {
  people: number;
  noTarget: number;
  open: number;
  sent: number;
  skipped: number;
  failed: number;
}

/** A tally in words: "3 people · 2 sent · 1 failed". */
export function tallied(tally: Tally): string {
  const parts: [number, string][] = [
    [tally.sent, "sent"],
    [tally.open, "waiting"],
    [tally.skipped, "skipped"],
    [tally.failed, "failed"],
    [tally.noTarget, "without a target"],
  ];
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString()} ${word}`);
  return [people(tally.people), ...said].join(" · ");
}

export function people(count: number): string {
  return count === 1 ? "1 person" : `${count.toLocaleString()} people`;
}
