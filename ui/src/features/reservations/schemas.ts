import { z } from "zod";
import { statusSchema } from "@/features/reservations/searches";
import { channelSchema } from "@/kit/channels";
import { handledSchema, levels } from "@/kit/matter/schemas";
import { intentStatusSchema } from "@/kit/outbox/statuses";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const reservation = reads<Documents["ReservationDocument"]>()(
  z.object({
    id: z.number(),
    restaurantId: z.number(),
    restaurant: z.string(),
    timezone: z.string(),
    customerId: z.string().nullable(),
    customer: z.string().nullable(),
    agencyId: z.number().nullable(),
    agency: z.string().nullable(),
    partySize: z.number(),
    time: z.string(),
    proposedTime: z.string().nullable(),
    note: z.string().nullable(),
    status: statusSchema,
    matter: z.string(),
    settled: z.boolean(),
    handled: handledSchema.nullable(),
    mine: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);
/** `mine` is whether who looks may cancel it. */
export type Reservation = z.infer<typeof reservation>;
export const reservationSchema = envelope(reservation);
export const reservationsSchema = listing(reservation);

const heard = z.object({
  intentId: z.string(),
  listener: z.string(),
  status: intentStatusSchema,
  attempts: z.number(),
  lastError: z.string().nullable(),
  verdict: z.string().nullable(),
  runAt: z.string(),
  finishedAt: z.string().nullable(),
});
/** What a listener did with a fact. */
export type Heard = z.infer<typeof heard>;

const happened = z.object({
  factId: z.string(),
  type: z.string(),
  occurredAt: z.string(),
  actor: z.string().nullable(),
  heardBy: z.array(heard),
});
export type Happened = z.infer<typeof happened>;

const notice = z.object({
  id: z.string(),
  factId: z.string().nullable(),
  listener: z.string(),
  title: z.string(),
  level: z.enum(levels),
  channels: z.array(channelSchema),
  shared: z.boolean(),
  closedReason: z.string().nullable(),
  createdAt: z.string(),
  tally: z.object({
    complete: z.boolean(),
    people: z.number(),
    noTarget: z.number(),
    open: z.number(),
    sent: z.number(),
    skipped: z.number(),
    failed: z.number(),
  }),
});
export type Notice = z.infer<typeof notice>;

export const historySchema = envelope(
  reads<Documents["HistoryDocument"]>()(z.object({ facts: z.array(happened), notices: z.array(notice) })),
);
export type History = z.infer<typeof historySchema>["data"];

const restaurant = reads<Documents["RestaurantDocument"]>()(
  z.object({
    id: z.number(),
    groupId: z.string(),
    externalId: z.string(),
    name: z.string(),
    timezone: z.string(),
    locale: z.string().nullable(),
    escalateAfterMinutes: z.number().nullable(),
    escalateTimes: z.number(),
  }),
);
/** Its staff are the members of its group. */
export type Restaurant = z.infer<typeof restaurant>;
export const restaurantSchema = envelope(restaurant);
export const restaurantsSchema = listing(restaurant);

const agency = reads<Documents["AgencyDocument"]>()(
  z.object({ id: z.number(), groupId: z.string(), externalId: z.string(), name: z.string() }),
);
export type Agency = z.infer<typeof agency>;
export const agencySchema = envelope(agency);
export const agenciesSchema = listing(agency);

const usual = z.object({
  userType: z.string(),
  channels: z.array(channelSchema),
  urgent: z.array(channelSchema),
  own: z.boolean(),
});
/** By which channels people of a type are told; `own` where the tenant has said so. */
export type UsualChannels = z.infer<typeof usual>;
export const usualSchema = envelope(usual);
export const usualsSchema = envelope(z.array(usual));

export const meSchema = envelope(
  reads<Documents["PersonDocument"]>()(z.object({ id: z.string(), userType: z.string().nullable() })),
);
