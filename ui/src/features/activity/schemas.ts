import { z } from "zod";
import { attemptSchema, deliveryStatusSchema } from "@/kit/delivery/schemas";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const fact = reads<Documents["FactDocument"]>()(
  z.object({
    id: z.string(),
    type: z.string(),
    stream: z.object({ type: z.string(), id: z.string() }).nullable(),
    streamVersion: z.number().nullable(),
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
);
export type Fact = z.infer<typeof fact>;
export const factSchema = envelope(fact);
export const factsSchema = listing(fact);

export const channels = [
  "email",
  "sms",
  "whatsapp",
  "push",
  "slack",
  "websocket",
  "webhook",
  "apprise",
] as const;
export const channelSchema = z.enum(channels);

const deliveryFields = {
  id: z.string(),
  channel: channelSchema,
  provider: z.string(),
  providerName: z.string().nullable(),
  noticeId: z.string(),
  title: z.string().nullable(),
  factId: z.string().nullable(),
  personId: z.string(),
  personName: z.string().nullable(),
  address: z.string(),
  status: deliveryStatusSchema,
  attempts: z.number(),
  maxAttempts: z.number().nullable(),
  lastError: z.string().nullable(),
  receipt: z.string().nullable(),
  confirmed: z.string().nullable(),
  confirmedAt: z.string().nullable(),
  runAt: z.string(),
  expiresAt: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
};
const delivery = reads<Documents["DeliveryDocument"]>()(z.object(deliveryFields));
export type Delivery = z.infer<typeof delivery>;
export const deliverySchema = envelope(delivery);
export const deliveriesSchema = listing(delivery);

const deliveryInFull = reads<Documents["DeliveryInFullDocument"]>()(
  z.object({ ...deliveryFields, history: z.array(attemptSchema) }),
);
export type DeliveryInFull = z.infer<typeof deliveryInFull>;
export const deliveryInFullSchema = envelope(deliveryInFull);

export const retriedSchema = envelope(
  reads<Documents["RetriedDocument"]>()(z.object({ retried: z.number(), more: z.boolean() })),
);

const tally = z.object({
  complete: z.boolean(),
  people: z.number(),
  noTarget: z.number(),
  open: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
  settledAt: z.string().nullable(),
});
export type Tally = z.infer<typeof tally>;

const notice = reads<Documents["NoticeDocument"]>()(
  z.object({
    id: z.string(),
    factId: z.string().nullable(),
    listener: z.string(),
    title: z.string(),
    body: z.string(),
    level: z.enum(["info", "warning", "critical"]),
    category: z.string(),
    channels: z.array(channelSchema),
    runAt: z.string(),
    tally,
    closedAt: z.string().nullable(),
    closedReason: z.string().nullable(),
    createdAt: z.string(),
  }),
);
export type Notice = z.infer<typeof notice>;
export const noticeSchema = envelope(notice);
export const noticesSchema = listing(notice);

const provider = reads<Documents["ProviderDocument"]>()(
  z.object({ id: z.string(), name: z.string(), channel: channelSchema }),
);
export type Provider = z.infer<typeof provider>;
export const providersSchema = envelope(z.array(provider));
