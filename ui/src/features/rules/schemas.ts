import { z } from "zod";
import { conditionSchema } from "@/features/rules/logic/conditions";
import { channelSchema } from "@/kit/channels";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

export const levels = ["info", "warning", "critical"] as const;
export const levelSchema = z.enum(levels);
export type Level = z.infer<typeof levelSchema>;

export const bys = ["everyone", "group", "userType", "topic", "externalId", "email", "person"] as const;
export type By = (typeof bys)[number];

const selector = z.object({
  by: z.enum(bys),
  values: z.array(z.string()).nullable(),
  field: z.string().nullable(),
  userType: z.string().nullable(),
});
export type Selector = z.infer<typeof selector>;

const parts = {
  name: z.string(),
  version: z.number(),
  enabled: z.boolean(),
  factType: z.string(),
  conditions: conditionSchema.nullable(),
  audience: z.array(selector),
  title: z.string(),
  body: z.string(),
  template: z.string(),
  channels: z.array(channelSchema),
  level: levelSchema,
  category: z.string(),
  delay: z.string().nullable(),
  shared: z.boolean(),
  properties: z.record(z.string(), z.unknown()),
};

const rule = reads<Documents["RuleDocument"]>()(
  z.object({ ...parts, id: z.string(), createdAt: z.string(), updatedAt: z.string() }),
);
export type Rule = z.infer<typeof rule>;
export const ruleSchema = envelope(rule);
export const rulesSchema = listing(rule);

const ruleVersion = reads<Documents["RuleVersionDocument"]>()(
  z.object({ ...parts, changedBy: z.string().nullable(), createdAt: z.string() }),
);
export type RuleVersion = z.infer<typeof ruleVersion>;
export const ruleVersionsSchema = listing(ruleVersion);

/** What a rule says, whether it is saved or not. */
export type RuleParts = Omit<Rule, "id" | "createdAt" | "updatedAt" | "version">;

const triedPerson = z.object({
  id: z.string(),
  name: z.string(),
  channels: z.record(z.string(), z.boolean()),
});
const tried = z.object({
  factId: z.string(),
  type: z.string(),
  occurredAt: z.string(),
  matched: z.boolean(),
  reason: z.string().nullable(),
  title: z.string().nullable(),
  body: z.string().nullable(),
  fault: z.string().nullable(),
  audience: z.object({ count: z.number(), more: z.boolean(), people: z.array(triedPerson) }).nullable(),
});
export type Tried = z.infer<typeof tried>;

export const trialSchema = envelope(
  reads<Documents["TrialDocument"]>()(
    z.object({ facts: z.array(tried), matched: z.number(), complete: z.boolean() }),
  ),
);
export type Trial = z.infer<typeof trialSchema>["data"];

/** What the addresses of the pages may hold. */
export const rulesSearchSchema = z.object({
  factType: z.string().optional().catch(undefined),
  enabled: z.boolean().optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
});
export type RulesFilter = z.infer<typeof rulesSearchSchema>;

export const newRuleSearchSchema = z.object({
  /** A rule to begin from. */
  from: z.string().optional().catch(undefined),
  factType: z.string().optional().catch(undefined),
});

export const ruleSearchSchema = z.object({ versions: z.boolean().optional().catch(undefined) });
