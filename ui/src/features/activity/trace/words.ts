import { people } from "@/kit/delivery/tally";
import type {
  TracedAttempt,
  TracedDelivery,
  TracedIntent,
  TracedNotice,
} from "@/features/activity/trace/schemas";
import type { Meaning } from "@/kit/theme";
import { briefly, lasting } from "@/kit/time";

/** How a thing stands, and why, for whoever looks at it. */
export interface Standing {
  means: Meaning;
  words: string;
}

export function ofDelivery(it: TracedDelivery, now: number): Standing {
  if (it.finishedAt !== null) return finished(it);
  const { provider } = it;
  if (it.status === "held") {
    return {
      means: "warning",
      words: "The provider did not answer; it may have arrived. Somebody has to decide.",
    };
  }
  if (it.status === "processing") return { means: "busy", words: "It is being sent." };
  if (!provider.enabled) {
    return { means: "warning", words: `It waits: the provider ${provider.name} is switched off.` };
  }
  if (provider.openedAt !== null && later(provider.openUntil, it.runAt)) {
    const until = provider.openUntil === null ? "later" : briefly(provider.openUntil);
    return {
      means: "warning",
      words: `It waits: ${provider.name} keeps failing and is tried again ${until}.`,
    };
  }
  return waiting(it, now);
}

function later(a: string | null, b: string): boolean {
  return a !== null && Date.parse(a) > Date.parse(b);
}

function waiting(it: TracedDelivery, now: number): Standing {
  const last = it.tries.at(-1);
  if (last?.outcome === "quiet" && Date.parse(it.runAt) > now) {
    return { means: "waiting", words: `Quiet hours: it waits until ${briefly(it.runAt)}.` };
  }
  if (it.status === "failed") {
    return { means: "warning", words: `${it.lastError ?? "It failed"}; tried again ${briefly(it.runAt)}.` };
  }
  return { means: "waiting", words: "It waits to be sent." };
}

function finished(it: TracedDelivery): Standing {
  const reason = it.tries.at(-1)?.reason ?? it.lastError ?? "no reason was kept";
  switch (it.status) {
    case "sent":
      return sent(it);
    case "skipped":
      return { means: "waiting", words: `Not sent: ${reason}` };
    default:
      return { means: "bad", words: `Given up: ${reason}` };
  }
}

const BAD_NEWS = new Set(["bounced", "complained"]);

function sent(it: TracedDelivery): Standing {
  const tried = it.tries.filter(({ outcome }) => outcome !== "quiet").length;
  const through = `Sent through ${it.provider.name}${tried > 1 ? `, at the ${ordinal(tried)} attempt` : ""}`;
  if (it.confirmed === null) return { means: "good", words: through };
  return {
    means: BAD_NEWS.has(it.confirmed) ? "bad" : "good",
    words: `${through}; reported ${it.confirmed}`,
  };
}

function ordinal(n: number): string {
  const ends: Record<string, string> = { one: "st", two: "nd", few: "rd" };
  return `${n}${ends[new Intl.PluralRules("en", { type: "ordinal" }).select(n)] ?? "th"}`;
}

const OUTCOMES: Record<string, readonly [Meaning, string]> = {
  sent: ["good", "Sent"],
  deferred: ["warning", "The provider could not take it"],
  rejected: ["bad", "The provider refused it"],
  unknown: ["warning", "The provider did not answer"],
  skipped: ["waiting", "Not sent"],
  expired: ["bad", "Out of time"],
  crashed: ["warning", "The worker died"],
  quiet: ["waiting", "Quiet hours"],
};

export function ofAttempt(attempt: TracedAttempt): Standing {
  const [means, says] = OUTCOMES[attempt.outcome] ?? ["waiting", attempt.outcome];
  const took = attempt.tookSeconds === null ? "" : `, took ${lasting(attempt.tookSeconds * 1000)}`;
  return { means, words: `${says}${took}${attempt.reason === null ? "" : `: ${attempt.reason}`}` };
}

const INTENTS: Record<string, Meaning> = {
  succeeded: "good",
  processing: "busy",
  enqueued: "busy",
  failed: "warning",
  dead: "bad",
};

export function ofIntent(intent: TracedIntent): Standing {
  const means = INTENTS[intent.status] ?? "waiting";
  const said = { succeeded: "Done", failed: "Retrying", pending: "Waiting" }[intent.status] ?? intent.status;
  const tries = intent.attempts > 1 ? `, ${intent.attempts} attempts` : "";
  return { means, words: `${said}${tries}${intent.lastError === null ? "" : `: ${intent.lastError}`}` };
}

export function ofNotice({ tally, closedAt, closedReason, runAt }: TracedNotice, now: number): Standing {
  const parts = [`to ${people(tally.people)}`];
  const add = (count: number, word: string) => count > 0 && parts.push(`${count.toLocaleString()} ${word}`);
  add(tally.sent, "sent");
  add(tally.open, "waiting");
  add(tally.skipped, "skipped");
  add(tally.failed, "failed");
  add(tally.noTarget, "without a target");
  if (closedAt !== null)
    return { means: "waiting", words: `Closed: ${closedReason ?? ""} · ${parts.join(" · ")}` };
  if (Date.parse(runAt) > now)
    return { means: "waiting", words: `Delayed by its rule until ${briefly(runAt)}` };
  const means = going(tally);
  return { means, words: `${parts.join(" · ")}${tally.complete ? "" : " · still going out"}` };
}

function going({ failed, sent, open, complete }: TracedNotice["tally"]): Meaning {
  if (failed > 0) return sent > 0 ? "warning" : "bad";
  return open > 0 || !complete ? "busy" : "good";
}
