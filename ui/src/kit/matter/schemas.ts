import { z } from "zod";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

/** What can be done about a matter. */
export const actions = ["CONFIRMED", "REJECTED", "POSTPONED", "DISMISSED", "CUSTOM"] as const;
const action = z.enum(actions);
export type Action = z.infer<typeof action>;

const somebody = z.object({ id: z.string().nullable(), name: z.string().nullable() });

export const handledSchema = reads<Documents["HandledDocument"]>()(
  z.object({
    action: z.enum([...actions, "WITHDRAWN"]),
    by: somebody,
    at: z.string(),
    note: z.string().nullable(),
    proposedTime: z.string().nullable(),
  }),
);
/** The first action on a matter: who, when and how. */
export type Handled = z.infer<typeof handledSchema>;

const acted = reads<Documents["ActedDocument"]>()(
  handledSchema.extend({ id: z.string(), won: z.boolean(), actor: z.string().nullable() }),
);
/** Somebody who acted, or tried to. */
export type Acted = z.infer<typeof acted>;
export const actedSchema = envelope(z.array(acted));

export const levels = ["info", "warning", "critical"] as const;

const notification = reads<Documents["InboxDocument"]>()(
  z.object({
    id: z.string(),
    personId: z.string(),
    factId: z.string().nullable(),
    title: z.string(),
    body: z.string(),
    level: z.enum(levels),
    category: z.string(),
    createdAt: z.string(),
    readAt: z.string().nullable(),
    archivedAt: z.string().nullable(),
    actionUrl: z.string().nullable(),
    actionLabel: z.string().nullable(),
    timezone: z.string().nullable(),
    shared: z.boolean(),
    readBy: somebody.nullable(),
    matter: z.string().nullable(),
    actions: z.array(action),
    handled: handledSchema.nullable(),
  }),
);
/** Something that a person was told. On a shared one, the first to act settles the matter for all. */
export type Notification = z.infer<typeof notification>;
export const notificationSchema = envelope(notification);
export const notificationsSchema = listing(notification);
