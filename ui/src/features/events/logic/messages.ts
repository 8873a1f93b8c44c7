import type { EventMessage, Totals } from "@/features/events/schemas";

/** Whether something of it is still under way: people to be reached, or deliveries to end. */
export function isMoving({ complete, deliveries, closedReason }: EventMessage): boolean {
  return (!complete && closedReason === null) || deliveries.open > 0;
}

export function isCounting(totals: Totals): boolean {
  return isMoving(totals) || totals.pending > 0;
}

/** "2 delivered, 1 failed, 1 under way", of its deliveries. */
export function tally({ deliveries: { sent, failed, open, skipped }, noTarget }: EventMessage): string {
  const parts: [number, string][] = [
    [sent, "sent"],
    [failed, "failed"],
    [open, "under way"],
    [skipped, "skipped"],
    [noTarget, "without a target"],
  ];
  const said = parts.filter(([amount]) => amount > 0);
  return said.map(([amount, word]) => `${amount.toLocaleString()} ${word}`).join(", ");
}
