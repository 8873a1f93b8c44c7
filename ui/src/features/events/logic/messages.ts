import type { EventMessage, Totals } from "@/features/events/schemas";

/** Whether something of it is still under way: people to be reached, or deliveries to end. */
export function isMoving({ complete, deliveries, closedReason }: EventMessage): boolean {
  return (!complete && closedReason === null) || deliveries.open > 0;
}

export function isCounting(totals: Totals): boolean {
  return isMoving(totals) || totals.pending > 0;
}

/** "4 people; deliveries: 6 sent, 1 failed": somebody may be told in several places. */
export function tally({ deliveries, noTarget, people }: EventMessage): string {
  const { sent, failed, open, skipped } = deliveries;
  const parts: [number, string][] = [
    [sent, "sent"],
    [failed, "failed"],
    [open, "under way"],
    [skipped, "skipped"],
  ];
  const counted = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${amount.toLocaleString()} ${word}`);
  const said = [
    people === 1 ? "1 person" : `${people.toLocaleString()} people`,
    counted.length === 0 ? "" : `deliveries: ${counted.join(", ")}`,
    noTarget === 0 ? "" : `${noTarget.toLocaleString()} could be told nowhere`,
  ];
  return people === 0 ? "" : said.filter((words) => words !== "").join("; ");
}
