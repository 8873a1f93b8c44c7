import { marksOfDelivery, marksOfIntent, type Since } from "@/features/activity/trace/marks";
import type {
  CausedFact,
  DeliveryCount,
  Trace,
  TracedDelivery,
  TracedIntent,
  TracedListener,
  TracedNotice,
  TracedNotification,
} from "@/features/activity/trace/schemas";
import type { Mark, Step } from "@/features/activity/trace/steps";
import { ofDelivery, ofIntent, ofNotice } from "@/features/activity/trace/words";
import type { Meaning } from "@/kit/theme";

/** Intents that find out whom to tell: of all rules, and of one listener each. */
const RULES = new Set(["notice.rules", "notice.prepare"]);
const LISTENER = "notice.listener.";

/** What stands for integrations where a channel would. */
export const CHOSEN = "integrations";

export function choseInVain(trace: Trace): TracedNotification[] {
  return trace.notifications.filter(({ routed, targets }) => routed && targets === 0);
}

/** From the document to the picture: every step with its time and its reason, the fact at the root. */
export function stepsOf(trace: Trace, now: number): Step {
  return new Building(trace, now).root();
}

function titleOf(kind: string): string {
  if (kind.startsWith(LISTENER)) return `Whom to tell, by ${kind.slice(LISTENER.length)}`;
  return RULES.has(kind) ? "Whom to tell" : kind;
}

class Building {
  private readonly began: number;
  private readonly now: number;
  private readonly names: Map<string, string>;

  constructor(
    private readonly trace: Trace,
    now: number,
  ) {
    this.began = Date.parse(trace.fact.occurredAt);
    this.now = now;
    this.names = new Map(
      trace.notifications.map((one) => [one.id, one.personName ?? "Somebody who was deleted"]),
    );
  }

  private readonly since: Since = (moment) => Math.max(0, Date.parse(moment) - this.began);

  root(): Step {
    const { fact, intents, listeners, facts } = this.trace;
    const alone = this.trace.notices.filter(
      (notice) => !listeners.some((one) => one.listener === notice.listener),
    );
    return {
      id: `fact:${fact.id}`,
      kind: "fact",
      title: fact.type,
      words: fact.stream === null ? "Recorded" : `Recorded, of ${fact.stream.type} ${fact.stream.id}`,
      means: "busy",
      at: 0,
      marks: [{ from: 0, to: 0, look: "point", means: "busy", says: "Recorded" }],
      steps: [
        ...intents.filter(({ noticeId }) => noticeId === null).map((intent) => this.intent(intent)),
        ...listeners.map((listener) => this.listener(listener)),
        ...alone.map((notice) => this.notice(notice)),
        ...facts.map((caused) => this.caused(caused)),
      ],
    };
  }

  private intent(intent: TracedIntent): Step {
    const title = titleOf(intent.kind);
    const marks = marksOfIntent(intent, this.since, this.now - this.began);
    const at = this.since(intent.createdAt);
    return { id: `intent:${intent.id}`, kind: "intent", title, ...ofIntent(intent), at, marks, steps: [] };
  }

  private listener(listener: TracedListener): Step {
    const at = this.since(listener.at);
    const means = listener.told ? "good" : "waiting";
    const notices = this.trace.notices.filter((notice) => notice.listener === listener.listener);
    return {
      id: `listener:${listener.listener}`,
      kind: "listener",
      title: listener.rule ?? listener.listener,
      words: listener.told ? said(notices.length) : listener.verdict,
      means,
      at,
      marks: [{ from: at, to: at, look: "point", means, says: listener.verdict }],
      steps: notices.map((notice) => this.notice(notice)),
    };
  }

  private notice(notice: TracedNotice): Step {
    const at = this.since(notice.createdAt);
    const standing = ofNotice(notice, this.now);
    const out = this.trace.intents.filter(({ noticeId }) => noticeId === notice.id);
    const marks: Mark[] = [
      { from: at, to: at, look: "point", means: "busy", says: "Made" },
      ...out.flatMap((intent) => marksOfIntent(intent, this.since, this.now - this.began)),
    ];
    const steps = [
      ...channelsOf(this.trace, notice).flatMap((channel) => this.channel(notice, channel)),
      ...this.gone(notice),
    ];
    return { id: `notice:${notice.id}`, kind: "notice", title: notice.title, ...standing, at, marks, steps };
  }

  /** One delivery stands for itself; several are put together under their channel. */
  private channel(notice: TracedNotice, channel: string): Step[] {
    const of = (one: { noticeId: string; channel: string }) =>
      one.noticeId === notice.id && one.channel === channel;
    const deliveries = this.trace.deliveries.filter(of).map((one) => this.delivery(one));
    const missing = this.trace.notifications.filter(
      (n) => n.noticeId === notice.id && n.missing.includes(channel),
    );
    const counts = this.trace.counts.filter(of);
    const steps = [...deliveries, ...this.silence(missing, notice.id, channel)].sort(
      (a, b) => urgency(a) - urgency(b),
    );
    if (steps.length <= 1) return steps;
    const at = Math.min(...steps.map((step) => step.at));
    const id = `channel:${notice.id}:${channel}`;
    return [
      {
        id,
        kind: "channel",
        title: channel,
        ...together(counts, missing.length),
        at,
        marks: spans(steps),
        steps,
      },
    ];
  }

  private delivery(it: TracedDelivery): Step {
    const standing = ofDelivery(it, this.now);
    return {
      id: `delivery:${it.id}`,
      kind: "delivery",
      title: `${it.channel} to ${this.names.get(it.notificationId) ?? it.address}`,
      ...standing,
      at: this.since(it.createdAt),
      marks: marksOfDelivery(it, this.since, this.now - this.began),
      steps: [],
    };
  }

  /** Those who chose integrations for the topic, and of whose choice nothing is left. */
  private gone(notice: TracedNotice): Step[] {
    const those = choseInVain(this.trace).filter(({ noticeId }) => noticeId === notice.id);
    return this.silence(those, notice.id, CHOSEN, "The integrations they chose are gone or turned off.");
  }

  /** Those who had no address, together: there may be many, and nothing happened to any of them. */
  private silence(
    missing: readonly TracedNotification[],
    notice: string,
    channel: string,
    words = `No address for ${channel}.`,
  ): Step[] {
    if (missing.length === 0) return [];
    const at = Math.min(...missing.map((one) => this.since(one.createdAt)));
    const names = missing.map((one) => this.names.get(one.id) ?? "somebody");
    const marks: Mark[] = [{ from: at, to: at, look: "point", means: "waiting", says: words }];
    const id = `silence:${notice}:${channel}`;
    return [{ id, kind: "silence", title: listed(names), words, means: "waiting", at, marks, steps: [] }];
  }

  private caused(fact: CausedFact): Step {
    const at = this.since(fact.occurredAt);
    const words =
      fact.type === "notice.settled"
        ? "Everything of a notice has come to its end."
        : "A fact that came of it.";
    const marks: Mark[] = [{ from: at, to: at, look: "point", means: "busy", says: fact.type }];
    return {
      id: `caused:${fact.id}`,
      kind: "caused",
      title: fact.type,
      words,
      means: "busy",
      at,
      marks,
      steps: [],
    };
  }
}

/** Those of the notice, and those by which somebody was reached who chose integrations instead. */
export function channelsOf(trace: Trace, notice: TracedNotice): readonly string[] {
  const found = [...trace.counts, ...trace.deliveries].filter(({ noticeId }) => noticeId === notice.id);
  return [...new Set([...notice.channels, ...found.map(({ channel }) => channel)])];
}

const NAMED = 3;

/** "A guest, The cook and 4 more". */
function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return more > 0 ? `${names.slice(0, NAMED).join(", ")} and ${more} more` : names.join(", ");
}

function said(notices: number): string {
  return notices === 1
    ? "Met: it said this."
    : notices === 0
      ? "Met; what it said is not kept any more."
      : `Met: it said ${notices} things.`;
}

const URGENCY: Record<Meaning, number> = { bad: 0, warning: 1, busy: 2, good: 3, waiting: 4 };

/** What needs somebody comes first. */
function urgency(step: Step): number {
  return URGENCY[step.means];
}

const ENDS: readonly (readonly [string, boolean, string, Meaning])[] = [
  ["failed", false, "failed", "bad"],
  ["held", true, "held", "warning"],
  ["failed", true, "retrying", "warning"],
  ["processing", true, "being sent", "busy"],
  ["pending", true, "waiting", "waiting"],
  ["sent", false, "sent", "good"],
  ["skipped", false, "skipped", "waiting"],
];

function together(counts: readonly DeliveryCount[], missing: number): { words: string; means: Meaning } {
  const found = ends(counts);
  const parts = found.map(({ count, word }) => `${count.toLocaleString()} ${word}`);
  if (missing > 0) parts.push(`${missing.toLocaleString()} without an address`);
  return { words: parts.join(" · "), means: altogether(found) };
}

/** The worst of it; where some were sent, what failed is a warning. */
export function altogether(found: readonly { means: Meaning }[]): Meaning {
  const worst = found[0]?.means ?? "waiting";
  return worst === "bad" && found.some(({ means }) => means === "good") ? "warning" : worst;
}

/** How many came to which end, the worst first. */
export function ends(counts: readonly DeliveryCount[]): { word: string; means: Meaning; count: number }[] {
  return ENDS.map(([status, open, word, means]) => ({
    word,
    means,
    count: counts
      .filter((one) => one.status === status && one.open === open)
      .reduce((sum, one) => sum + one.count, 0),
  })).filter(({ count }) => count > 0);
}

/** All attempts of a channel, drawn over each other; what went wrong lies on top. */
function spans(steps: readonly Step[]): Mark[] {
  const attempts = steps.flatMap((step) => step.marks.filter((mark) => mark.look !== "wait"));
  return attempts.sort((a, b) => URGENCY[b.means] - URGENCY[a.means]);
}
