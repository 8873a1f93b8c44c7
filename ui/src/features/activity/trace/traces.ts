import type { Trace, TracedAttempt, TracedDelivery, TracedNotice } from "@/features/activity/trace/schemas";

/** Traces for tests: at the stroke of nine, and so many milliseconds later. */
const NINE = Date.parse("2026-11-16T09:00:00Z");

export function after(milliseconds: number): string {
  return new Date(NINE + milliseconds).toISOString();
}

export function attempt(outcome: string, ended: number, more: Partial<TracedAttempt> = {}): TracedAttempt {
  return { outcome, reason: null, receipt: null, tookSeconds: 0.01, endedAt: after(ended), ...more };
}

export function notice(more: Partial<TracedNotice> = {}): TracedNotice {
  const tally = {
    complete: true,
    people: 1,
    noTarget: 0,
    open: 0,
    sent: 1,
    skipped: 0,
    failed: 0,
    settledAt: null,
  };
  return {
    id: "n",
    listener: "rule:r",
    title: "Order 7 is paid",
    category: "orders",
    level: "info",
    channels: ["email"],
    runAt: after(20),
    createdAt: after(20),
    closedAt: null,
    closedReason: null,
    tally,
    ...more,
  };
}

export function delivery(more: Partial<TracedDelivery> = {}): TracedDelivery {
  return {
    id: "d",
    noticeId: "n",
    notificationId: "m",
    personId: "p",
    channel: "email",
    address: "owner@example.com",
    status: "sent",
    attempts: 1,
    provider: { name: "sandbox", enabled: true, openedAt: null, openUntil: null },
    runAt: after(20),
    createdAt: after(20),
    finishedAt: after(40),
    lastError: null,
    receipt: "r-1",
    confirmed: null,
    confirmedAt: null,
    tries: [attempt("sent", 40)],
    ...more,
  };
}

export function trace(more: Partial<Trace> = {}): Trace {
  const heard = { listener: "rule:r", rule: "Orders", ruleVersion: 1, versionNow: 1 };
  return {
    fact: { id: "f", type: "order.paid", stream: null, data: {}, metadata: {}, occurredAt: after(0) },
    intents: [],
    listeners: [{ ...heard, told: true, verdict: "1 said", at: after(20) }],
    notices: [notice()],
    notifications: [person("m", "The owner")],
    deliveries: [delivery()],
    counts: [{ noticeId: "n", channel: "email", status: "sent", open: false, count: 1 }],
    counted: 1,
    facts: [],
    truncated: false,
    ...more,
  };
}

export function person(id: string, personName: string | null, missing: string[] = []) {
  const about = { id, noticeId: "n", personId: `p-${id}`, personName, createdAt: after(20), readAt: null };
  return { ...about, missing, routed: false, targets: 1 };
}
