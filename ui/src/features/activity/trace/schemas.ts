import { z } from "zod";
import { envelope, reads, type Documents } from "@/kit/shapes";

const moment = z.string();
const maybe = z.string().nullable();
const status = z.enum(["pending", "processing", "failed", "held", "sent", "skipped"]);

const intent = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  attempts: z.number(),
  lastError: maybe,
  runAt: moment,
  createdAt: moment,
  finishedAt: maybe,
  noticeId: maybe,
});
export type TracedIntent = z.infer<typeof intent>;

const listener = z.object({
  listener: z.string(),
  rule: maybe,
  ruleVersion: z.number().nullable(),
  versionNow: z.number().nullable(),
  told: z.boolean(),
  verdict: z.string(),
  at: moment,
});
export type TracedListener = z.infer<typeof listener>;

const notice = z.object({
  id: z.string(),
  listener: z.string(),
  title: z.string(),
  category: z.string(),
  level: z.enum(["info", "warning", "critical"]),
  channels: z.array(z.string()),
  runAt: moment,
  createdAt: moment,
  closedAt: maybe,
  closedReason: maybe,
  tally: z.object({
    complete: z.boolean(),
    people: z.number(),
    noTarget: z.number(),
    open: z.number(),
    sent: z.number(),
    skipped: z.number(),
    failed: z.number(),
    settledAt: maybe,
  }),
});
export type TracedNotice = z.infer<typeof notice>;

const notification = z.object({
  id: z.string(),
  noticeId: z.string(),
  personId: z.string(),
  personName: maybe,
  missing: z.array(z.string()),
  routed: z.boolean(),
  targets: z.number(),
  createdAt: moment,
  readAt: maybe,
});
export type TracedNotification = z.infer<typeof notification>;

const attempt = z.object({
  outcome: z.string(),
  reason: maybe,
  receipt: maybe,
  tookSeconds: z.number().nullable(),
  endedAt: moment,
});
export type TracedAttempt = z.infer<typeof attempt>;

const delivery = z.object({
  id: z.string(),
  noticeId: z.string(),
  notificationId: z.string(),
  personId: z.string(),
  channel: z.string(),
  address: z.string(),
  status,
  attempts: z.number(),
  provider: z.object({ name: z.string(), enabled: z.boolean(), openedAt: maybe, openUntil: maybe }),
  runAt: moment,
  createdAt: moment,
  finishedAt: maybe,
  lastError: maybe,
  receipt: maybe,
  confirmed: maybe,
  confirmedAt: maybe,
  tries: z.array(attempt),
});
export type TracedDelivery = z.infer<typeof delivery>;

const count = z.object({
  noticeId: z.string(),
  channel: z.string(),
  status,
  open: z.boolean(),
  count: z.number(),
});
export type DeliveryCount = z.infer<typeof count>;

const causedFact = z.object({ id: z.string(), type: z.string(), occurredAt: moment, noticeId: maybe });
export type CausedFact = z.infer<typeof causedFact>;

export const traceSchema = envelope(
  reads<Documents["TraceDocument"]>()(
    z.object({
      fact: z.object({
        id: z.string(),
        type: z.string(),
        stream: z.object({ type: z.string(), id: z.string() }).nullable(),
        data: z.record(z.string(), z.unknown()),
        metadata: z.record(z.string(), z.unknown()),
        occurredAt: moment,
      }),
      intents: z.array(intent),
      listeners: z.array(listener),
      notices: z.array(notice),
      notifications: z.array(notification),
      deliveries: z.array(delivery),
      counts: z.array(count),
      counted: z.number(),
      facts: z.array(causedFact),
      truncated: z.boolean(),
    }),
  ),
);
export type Trace = z.infer<typeof traceSchema>["data"];
