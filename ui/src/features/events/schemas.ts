import { z } from "zod";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

export const eventStatuses = ["active", "cancelled", "completed"] as const;
const eventStatus = z.enum(eventStatuses);
export type EventStatus = z.infer<typeof eventStatus>;

const event = reads<Documents["EventDocument"]>()(
  z.object({
    id: z.number(),
    organiserId: z.string().nullable(),
    organiser: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    location: z.string().nullable(),
    startsAt: z.string(),
    endsAt: z.string().nullable(),
    overAt: z.string(),
    timezone: z.string(),
    status: eventStatus,
    version: z.number(),
    subscribers: z.number(),
    mine: z.boolean(),
    joined: z.boolean(),
    joinUrl: z.string().nullable(),
  }),
);
/** The calendar kind. `mine` is whether who looks may change it. */
export type TidingsEvent = z.infer<typeof event>;
export const eventSchema = envelope(event);
export const eventsSchema = listing(event);

const selector = z.object({ integrationId: z.string().nullable(), tag: z.string().nullable() });

const subscription = reads<Documents["SubscriptionDocument"]>()(
  z.object({
    id: z.number(),
    personId: z.string(),
    person: z.string(),
    selectors: z.array(selector),
    reminderOffsets: z.array(z.number()),
    createdAt: z.string(),
  }),
);
export type Subscription = z.infer<typeof subscription>;
export const subscriptionSchema = envelope(subscription);
export const subscriptionsSchema = listing(subscription);

const reminder = reads<Documents["ReminderDocument"]>()(
  z.object({
    id: z.string(),
    offsetSeconds: z.number().nullable(),
    dueAt: z.string(),
    status: z.enum(["pending", "processing", "failed", "enqueued"]),
    lastError: z.string().nullable(),
  }),
);
export type Reminder = z.infer<typeof reminder>;
export const reminderSchema = envelope(reminder);
export const remindersSchema = listing(reminder);

export const levels = ["info", "warning", "critical"] as const;
const level = z.enum(levels);
export type Level = z.infer<typeof level>;

const messageFields = {
  id: z.string(),
  factId: z.string().nullable(),
  kind: z.enum(["updated", "cancelled", "announced", "reminder"]),
  title: z.string(),
  body: z.string(),
  level,
  people: z.number(),
  noTarget: z.number(),
  complete: z.boolean(),
  deliveries: z.object({ open: z.number(), sent: z.number(), skipped: z.number(), failed: z.number() }),
  closedReason: z.string().nullable(),
  createdAt: z.string(),
};
const message = reads<Documents["EventMessageDocument"]>()(z.object(messageFields));
export type EventMessage = z.infer<typeof message>;
export const messagesSchema = listing(message);

export const totalsSchema = envelope(
  reads<Documents["EventDeliveriesDocument"]>()(
    z.object({
      ...messageFields,
      delivered: z.number(),
      failed: z.number(),
      pending: z.number(),
      total: z.number(),
    }),
  ),
);
export type Totals = z.infer<typeof totalsSchema>["data"];

export const resultStatuses = ["delivered", "pending", "failed", "no_targets"] as const;
const resultStatus = z.enum(resultStatuses);
export type ResultStatus = z.infer<typeof resultStatus>;

const result = reads<Documents["SubscriptionResultDocument"]>()(
  z.object({
    subscriptionId: z.number(),
    personId: z.string(),
    person: z.string(),
    status: resultStatus,
    integrationsTried: z.number(),
    delivered: z.number(),
    failed: z.number(),
  }),
);
export type Result = z.infer<typeof result>;
export const resultsSchema = listing(result);

export const announcedSchema = envelope(
  reads<Documents["AnnouncedDocument"]>()(z.object({ factId: z.string() })),
);

/** What the process of an event does, with what PostgreSQL knows of its reminders. */
export const processSchema = envelope(
  reads<Documents["ProcessDocument"]>()(
    z.object({
      state: z.enum(["not_started", "running", "ended", "away"]),
      status: z.string().nullable(),
      reason: z.string().nullable(),
      participants: z.number().nullable(),
      notifications: z.number().nullable(),
      failedBroadcasts: z.number().nullable(),
      overAt: z.string().nullable(),
      remindersWaiting: z.number(),
      nextReminderAt: z.string().nullable(),
    }),
  ),
);
export type Process = z.infer<typeof processSchema>["data"];

export const feedSchema = envelope(
  reads<Documents["FeedDocument"]>()(z.object({ createdAt: z.string(), readAt: z.string().nullable() })),
);
export type Feed = z.infer<typeof feedSchema>["data"];
export const newFeedSchema = envelope(reads<Documents["NewFeedDocument"]>()(z.object({ url: z.string() })));

export const integrationsSchema = listing(
  reads<Documents["IntegrationDocument"]>()(
    z.object({ id: z.string(), name: z.string(), tags: z.array(z.string()), active: z.boolean() }),
  ),
);
export type Integration = z.infer<typeof integrationsSchema>["data"][number];

/** What the address of the list may hold. */
export const eventsSearchSchema = z.object({
  whose: z.enum(["joined", "organised"]).optional().catch(undefined),
  status: eventStatus.optional().catch(undefined),
  past: z.literal(true).optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
});
export type EventsFilter = z.infer<typeof eventsSearchSchema>;

/** What the address of one event may hold: which page of its subscribers, and which message is open. */
export const eventSearchSchema = z.object({
  subscribers: z.string().optional().catch(undefined),
  messages: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  result: resultStatus.optional().catch(undefined),
  results: z.string().optional().catch(undefined),
});
export type EventSearch = z.infer<typeof eventSearchSchema>;
