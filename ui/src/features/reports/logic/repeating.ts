import type { Run } from "@/features/reports/schemas";
import type { RunStatus } from "@/features/reports/searches";

export type Repeating = "retry" | "resend";

const FINAL: readonly RunStatus[] = [
  "delivered",
  "partially_delivered",
  "delivery_failed",
  "generation_failed",
  "cancelled",
];

/** How a run can be repeated; null where there is nothing to repeat, or it is not over yet. */
export function repeatable({ status, counts }: Pick<Run, "status" | "counts">): Repeating | null {
  if (status === "generation_failed") return "retry";
  return FINAL.includes(status) && counts.failed > 0 ? "resend" : null;
}

/** Whether somebody repeats it already. */
export function isRepeated(id: number, runs: readonly Pick<Run, "status" | "retryOf">[]): boolean {
  return runs.some(({ status, retryOf }) => retryOf === id && !FINAL.includes(status));
}
