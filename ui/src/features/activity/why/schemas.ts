import { z } from "zod";
import { envelope, reads, type Documents } from "@/kit/shapes";

const causeSchema = z.enum([
  "fact_unknown",
  "no_rule",
  "rule_disabled",
  "rule_came_later",
  "nothing_happened",
  "tenant_suspended",
  "no_worker",
  "due_later",
  "being_prepared",
  "preparing_fails",
  "preparing_failed",
  "preparing_cancelled",
  "condition_not_met",
  "nothing_said",
  "delayed",
  "fanning_out",
  "fan_out_failed",
  "not_in_audience",
  "joined_later",
  "no_address",
  "no_integration",
  "notice_closed",
  "person_gone",
  "address_gone",
  "address_disabled",
  "suppressed",
  "not_wanted",
  "skipped",
  "quiet_hours",
  "circuit_open",
  "provider_disabled",
  "will_retry",
  "waiting",
  "sending",
  "held",
  "expired",
  "rejected",
  "failed",
  "sent",
  "bounced",
  "complained",
  "not_kept",
]);
export type Cause = z.infer<typeof causeSchema>;

const gotSchema = z.enum(["yes", "not_yet", "unknown", "no"]);
export type Got = z.infer<typeof gotSchema>;

const answer = reads<Documents["AnswerDocument"]>()(
  z.object({
    cause: causeSchema,
    got: gotSchema,
    sentences: z.array(z.string()),
    at: z.string().nullable(),
    listener: z.string().nullable(),
    rule: z.string().nullable(),
    ruleVersion: z.number().nullable(),
    deliveryId: z.string().nullable(),
    channel: z.string().nullable(),
  }),
);
export type Answer = z.infer<typeof answer>;

const matter = z.object({
  fact: z.object({ id: z.string(), type: z.string(), occurredAt: z.string() }).nullable(),
  got: gotSchema,
  answers: z.array(answer),
});
export type Matter = z.infer<typeof matter>;

export const whySchema = envelope(
  reads<Documents["WhyDocument"]>()(
    z.object({
      person: z.object({ id: z.string(), externalId: z.string().nullable(), name: z.string().nullable() }),
      matters: z.array(matter),
      truncated: z.boolean(),
    }),
  ),
);
export type Explanation = z.infer<typeof whySchema>["data"];
