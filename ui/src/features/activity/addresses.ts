import { z } from "zod";
import { channelSchema } from "@/features/activity/schemas";
import { deliveryStatusSchema } from "@/kit/delivery/schemas";

/** What the addresses of the pages may hold. */
const text = z.string().optional().catch(undefined);

export const factsSearchSchema = z.object({
  type: text,
  streamType: text,
  streamId: text,
  since: text,
  until: text,
  cursor: text,
});
export type FactsFilter = z.infer<typeof factsSearchSchema>;

export const deliveriesSearchSchema = z.object({
  status: deliveryStatusSchema.optional().catch(undefined),
  channel: channelSchema.optional().catch(undefined),
  provider: text,
  personId: text,
  noticeId: text,
  since: text,
  cursor: text,
  delivery: text,
});
export type DeliveriesFilter = Omit<z.infer<typeof deliveriesSearchSchema>, "delivery">;

export const noticesSearchSchema = z.object({
  category: text,
  since: text,
  until: text,
  cursor: text,
  notice: text,
});
export type NoticesFilter = Omit<z.infer<typeof noticesSearchSchema>, "notice">;

export const traceSearchSchema = z.object({ step: text, delivery: text });

export const whySearchSchema = z.object({
  person: text,
  fact: text,
  category: text,
  since: text,
  until: text,
});
export type WhyQuestion = z.infer<typeof whySearchSchema>;
