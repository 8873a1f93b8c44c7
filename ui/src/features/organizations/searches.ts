import { z } from "zod";

export const statuses = ["initiated", "running", "compensating", "completed", "failed", "cancelled"] as const;
export const statusSchema = z.enum(statuses);
/** Of the bootstrap. */
export type Status = z.infer<typeof statusSchema>;

const text = z.string().optional().catch(undefined);

/** What the addresses of the pages may hold. */
export const organizationsSearchSchema = z.object({
  status: statusSchema.optional().catch(undefined),
  cursor: text,
});
export type OrganizationsFilter = z.infer<typeof organizationsSearchSchema>;

/** The link of a mail. What else somebody has put into it says nothing. */
export const acceptSearchSchema = z.object({ token: text });
