import type { TracedDelivery, TracedIntent } from "@/features/activity/trace/schemas";
import type { Mark } from "@/features/activity/trace/steps";
import { ofAttempt, ofIntent } from "@/features/activity/trace/words";
import type { Meaning } from "@/kit/theme";
import { lasting } from "@/kit/time";

/** A clock that counts milliseconds from the fact. */
export type Since = (moment: string) => number;

const DELAY = 1_000;

const WAITS: Record<string, readonly [Meaning, string]> = {
  quiet: ["waiting", "Quiet hours"],
  deferred: ["warning", "Waited to try again"],
  unknown: ["warning", "Waited to try again"],
  crashed: ["warning", "Waited to try again"],
  stopped: ["warning", "Waited for the provider"],
};

/** Waits and attempts one after the other, and what the provider reported later. */
export function marksOfDelivery(it: TracedDelivery, since: Since, now: number): Mark[] {
  const marks: Mark[] = [];
  let reached = since(it.createdAt);
  let before = "";
  const wait = (to: number) => {
    const [means, says] = WAITS[before] ?? ["waiting", "Waited to be sent"];
    if (to > reached)
      marks.push({ from: reached, to, look: "wait", means, says: lasted(says, to - reached) });
  };
  for (const attempt of it.tries) {
    const ended = since(attempt.endedAt);
    const began = Math.max(reached, ended - (attempt.tookSeconds ?? 0) * 1000);
    wait(began);
    const { means, words } = ofAttempt(attempt);
    const look = attempt.tookSeconds === null ? "point" : "work";
    marks.push({ from: began, to: ended, look, means, says: words });
    [reached, before] = [ended, attempt.outcome];
  }
  if (it.finishedAt === null) {
    if (it.provider.openedAt !== null || !it.provider.enabled) before = "stopped";
    wait(Math.max(since(it.runAt), now));
  }
  return [...marks, ...reported(it, since)];
}

function reported(it: TracedDelivery, since: Since): Mark[] {
  if (it.confirmed === null || it.confirmedAt === null) return [];
  const at = since(it.confirmedAt);
  const means = it.confirmed === "bounced" || it.confirmed === "complained" ? "bad" : "good";
  return [{ from: at, to: at, look: "receipt", means, says: `The provider reported: ${it.confirmed}` }];
}

/** What was asked for later waits first; then it is worked on until it is finished. */
export function marksOfIntent(intent: TracedIntent, since: Since, now: number): Mark[] {
  const [made, due] = [since(intent.createdAt), since(intent.runAt)];
  const ended = intent.finishedAt === null ? Math.max(now, made) : since(intent.finishedAt);
  const { means, words } = ofIntent(intent);
  if (due - made <= DELAY) return [{ from: made, to: ended, look: "work", means, says: words }];
  const says = lasted("Waited for its time", due - made);
  const waited: Mark = { from: made, to: due, look: "wait", means: "waiting", says };
  return ended <= due ? [waited] : [waited, { from: due, to: ended, look: "work", means, says: words }];
}

function lasted(says: string, milliseconds: number): string {
  return `${says}: ${lasting(milliseconds)}`;
}
