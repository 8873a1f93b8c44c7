import { z } from "zod";

export const levels = ["info", "warning", "critical"] as const;
export const shelves = ["all", "unread", "archived"] as const;
export type Shelf = (typeof shelves)[number];
/** Of what somebody is to act on: what waits, or what was handled. */
export const standings = ["waiting", "handled"] as const;
export type Standing = (typeof standings)[number];

const text = z.string().optional().catch(undefined);

/** What the address of the page may hold; `tried` is the notification of which one sees who acted. */
export const inboxSearchSchema = z.object({
  shelf: z.enum(shelves).optional().catch(undefined),
  matters: z.enum(standings).optional().catch(undefined),
  level: z.enum(levels).optional().catch(undefined),
  category: text,
  cursor: text,
  tried: text,
});
export type InboxFilter = Omit<z.infer<typeof inboxSearchSchema>, "tried">;
