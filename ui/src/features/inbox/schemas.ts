import { z } from "zod";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

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
  }),
);
export type Notification = z.infer<typeof notification>;
export const notificationSchema = envelope(notification);
export const notificationsSchema = listing(notification);

export const shelves = ["all", "unread", "archived"] as const;
export type Shelf = (typeof shelves)[number];
export const inboxSearchSchema = z.object({
  shelf: z.enum(shelves).optional().catch(undefined),
  level: z.enum(levels).optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
});
export type InboxFilter = z.infer<typeof inboxSearchSchema>;
