import { z } from "zod";

export const statuses = ["requested", "postponed", "confirmed", "rejected", "cancelled"] as const;
export const statusSchema = z.enum(statuses);
export type Status = z.infer<typeof statusSchema>;

const text = z.string().optional().catch(undefined);
const id = z.number().int().positive().optional().catch(undefined);

/** What the addresses of the pages may hold. */
export const reservationsSearchSchema = z.object({
  status: statusSchema.optional().catch(undefined),
  restaurant: id,
  since: text,
  until: text,
  cursor: text,
});
export type ReservationsFilter = z.infer<typeof reservationsSearchSchema>;

/** Of the restaurants and of the agencies: which one is open, or whether a new one is being made. */
export const placesSearchSchema = z.object({
  open: id,
  new: z.literal(true).optional().catch(undefined),
  cursor: text,
});

export const channelsSearchSchema = z.object({ open: text });
