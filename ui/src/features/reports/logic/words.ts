import type { CatchUp, Occurrence, Run, RunRecipient, Timing } from "@/features/reports/schemas";
import type { RunStatus } from "@/features/reports/searches";
import type { Meaning } from "@/kit/theme";
import { fully } from "@/kit/time";

/** In the order of the API's numbers: 0 is Monday. */
export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** Which of a month, by the API's numbers. */
export const weekWords: Record<number, string> = {
  1: "first",
  2: "second",
  3: "third",
  4: "fourth",
  [-1]: "last",
};

/** "every Monday at 09:00 (America/New_York)". */
export function cadenceInWords(timing: Timing): string {
  const time = timing.scheduleTime === null ? "" : ` at ${timing.scheduleTime}`;
  return `${daysInWords(timing)}${time} (${timing.timezone})`;
}

function daysInWords(timing: Timing): string {
  const { cadenceType, cadenceDay, cadenceWeekday, cadenceWeek, intervalWeeks, cronExpression } = timing;
  switch (cadenceType) {
    case "daily":
      return "every day";
    case "weekly":
      return intervalWeeks === 1
        ? `every ${dayName(cadenceDay)}`
        : `every ${intervalWeeks} weeks on ${dayName(cadenceDay)}`;
    case "monthly":
      return cadenceDay === null
        ? `on the ${weekWords[cadenceWeek ?? 1] ?? "first"} ${dayName(cadenceWeekday)} of every month`
        : `on day ${cadenceDay} of every month`;
    case "cron":
      return `by cron: ${cronExpression ?? ""}`;
  }
}

function dayName(day: number | null): string {
  return weekdays[day ?? 0] ?? "";
}

export const runStatusWords: Record<RunStatus, readonly [string, Meaning]> = {
  pending: ["about to begin", "waiting"],
  generating: ["being made", "busy"],
  generated: ["made", "busy"],
  delivering: ["being mailed", "busy"],
  delivered: ["delivered", "good"],
  partially_delivered: ["partly delivered", "warning"],
  delivery_failed: ["not delivered", "bad"],
  generation_failed: ["not made", "bad"],
  cancelled: ["cancelled", "waiting"],
};

export const recipientMeans: Record<RunRecipient["status"], Meaning> = {
  pending: "busy",
  sent: "good",
  failed: "bad",
  skipped: "waiting",
};

export const catchUpWords: Record<CatchUp, string> = {
  latest: "Make up for the newest of them",
  skip: "Leave them out",
  all: "Make up for all, in order",
};

const TRIGGERS: Record<Run["trigger"], string> = {
  schedule: "",
  manual: "asked for",
  retry: "tried again",
  resend: "sent again",
};

/** Why there was a run, where it was not simply due. */
export function whyInWords({ trigger, retryOf, late }: Pick<Run, "trigger" | "retryOf" | "late">): string {
  const what = retryOf === null ? TRIGGERS[trigger] : `${TRIGGERS[trigger]}, of run ${retryOf}`;
  return [what, late ? "late" : ""].filter(Boolean).join(", ");
}

/** "2 sent, 1 failed"; nothing where nobody was mailed yet. */
export function countsInWords({ sent, failed, skipped, pending }: Run["counts"]): string {
  const parts = [
    [sent, "sent"],
    [failed, "failed"],
    [skipped, "skipped"],
    [pending, "waiting"],
  ] as const;
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${amount} ${word}`)
    .join(", ");
}

const NOTES: Record<Exclude<Occurrence["note"], null>, string> = {
  clamped: "the last day, as the month has no such day",
  gap: "the clocks leap over the hour that night; it runs right after",
  repeated: "the clocks show the hour twice that night; it runs the first time",
};

export function noteInWords(note: Occurrence["note"]): string | null {
  return note === null ? null : NOTES[note];
}

/** "Mon, 23 Nov 2026, 09:00": what the clocks of the schedule show. */
export function wallInWords(wall: string): string {
  return fully(`${wall}:00Z`, "UTC");
}
