import { z } from "zod";

/** How an intent stands. */
export const intentStatuses = [
  "pending",
  "processing",
  "failed",
  "enqueued",
  "succeeded",
  "dead",
  "cancelled",
] as const;
export const intentStatusSchema = z.enum(intentStatuses);
export type IntentStatus = z.infer<typeof intentStatusSchema>;
