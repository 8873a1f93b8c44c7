import { z } from "zod";
import { reads, type Documents } from "@/kit/shapes";

export const deliveryStatuses = [
  "pending",
  "sending",
  "deferred",
  "unknown",
  "sent",
  "skipped",
  "failed",
] as const;
export const deliveryStatusSchema = z.enum(deliveryStatuses);
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

export const attemptSchema = reads<Documents["AttemptDocument"]>()(
  z.object({
    outcome: z.enum(["sent", "deferred", "rejected", "unknown", "skipped", "expired", "crashed", "quiet"]),
    reason: z.string().nullable(),
    receipt: z.string().nullable(),
    tookSeconds: z.number().nullable(),
    providerName: z.string().nullable(),
    endedAt: z.string(),
  }),
);
export type Attempt = z.infer<typeof attemptSchema>;
