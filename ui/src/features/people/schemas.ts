import { z } from "zod";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

export const kinds = ["email", "phone", "push", "slack", "webhook", "apprise"] as const;
export const kindSchema = z.enum(kinds);
export type Kind = z.infer<typeof kindSchema>;

const address = reads<Documents["AddressDocument"]>()(
  z.object({
    id: z.string(),
    kind: kindSchema,
    value: z.string(),
    secret: z.string().nullable(),
    failingSince: z.string().nullable(),
    disabledAt: z.string().nullable(),
    disabledReason: z.string().nullable(),
    createdAt: z.string(),
  }),
);
export type Address = z.infer<typeof address>;
export const addressSchema = envelope(address);

const person = reads<Documents["PersonDocument"]>()(
  z.object({
    id: z.string(),
    externalId: z.string().nullable(),
    userType: z.string().nullable(),
    name: z.string(),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    quietHours: z.object({ from: z.string(), until: z.string() }).nullable(),
    userId: z.string().nullable(),
    addresses: z.array(address),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);
export type Person = z.infer<typeof person>;
export const personSchema = envelope(person);
export const peopleSchema = listing(person);

const group = reads<Documents["GroupDocument"]>()(
  z.object({
    id: z.string(),
    externalId: z.string(),
    type: z.string().nullable(),
    name: z.string(),
    members: z.number(),
    createdAt: z.string(),
  }),
);
export type Group = z.infer<typeof group>;
export const groupSchema = envelope(group);
export const groupsSchema = listing(group);
export const membersAddedSchema = envelope(
  reads<Documents["MembersAdded"]>()(z.object({ added: z.number() })),
);

const topic = reads<Documents["TopicDocument"]>()(z.object({ topic: z.string(), createdAt: z.string() }));
export type Topic = z.infer<typeof topic>;
export const topicsSchema = listing(topic);

const user = reads<Documents["UserDocument"]>()(
  z.object({ id: z.string(), email: z.string(), name: z.string() }),
);
export type User = z.infer<typeof user>;
export const usersSchema = listing(user);

export const importStatusSchema = z.enum(["receiving", "applying", "refused", "done"]);
export type ImportStatus = z.infer<typeof importStatusSchema>;

const anImport = reads<Documents["ImportDocument"]>()(
  z.object({
    id: z.string(),
    status: importStatusSchema,
    dryRun: z.boolean(),
    file: z.string().nullable(),
    rows: z.number(),
    wrong: z.number(),
    created: z.number(),
    updated: z.number(),
    error: z.string().nullable(),
    createdAt: z.string(),
    finishedAt: z.string().nullable(),
  }),
);
export type Import = z.infer<typeof anImport>;
export const importSchema = envelope(anImport);
export const importsSchema = listing(anImport);

const wrongRow = reads<Documents["ImportErrorDocument"]>()(z.object({ line: z.number(), error: z.string() }));
export type WrongRow = z.infer<typeof wrongRow>;
export const wrongRowsSchema = listing(wrongRow);

export const reasons = ["bounced", "complained", "manual"] as const;
export const reasonSchema = z.enum(reasons);
export type Reason = z.infer<typeof reasonSchema>;

const suppression = reads<Documents["SuppressionDocument"]>()(
  z.object({
    kind: kindSchema,
    value: z.string(),
    fingerprint: z.string(),
    reason: reasonSchema,
    detail: z.string().nullable(),
    deliveryId: z.string().nullable(),
    createdAt: z.string(),
  }),
);
export type Suppression = z.infer<typeof suppression>;
export const suppressionSchema = envelope(suppression);
export const suppressionsSchema = listing(suppression);
