import { z } from "zod";

export const scheduleStatuses = ["active", "paused"] as const;
export const scheduleStatusSchema = z.enum(scheduleStatuses);
export type ScheduleStatus = z.infer<typeof scheduleStatusSchema>;

export const runStatuses = [
  "pending",
  "generating",
  "generated",
  "delivering",
  "delivered",
  "partially_delivered",
  "delivery_failed",
  "generation_failed",
  "cancelled",
] as const;
export const runStatusSchema = z.enum(runStatuses);
export type RunStatus = z.infer<typeof runStatusSchema>;

const text = z.string().optional().catch(undefined);

/** What the addresses of the pages may hold. */
export const schedulesSearchSchema = z.object({
  status: scheduleStatusSchema.optional().catch(undefined),
  owner: z.literal("all").optional().catch(undefined),
  cursor: text,
});
export type SchedulesFilter = z.infer<typeof schedulesSearchSchema>;

/** Of one schedule: which of its runs, and which of them is open. */
export const scheduleSearchSchema = z.object({
  status: runStatusSchema.optional().catch(undefined),
  run: z.number().int().positive().optional().catch(undefined),
  cursor: text,
});
export type RunsFilter = Omit<z.infer<typeof scheduleSearchSchema>, "run">;
