import { z } from "zod";
import { envelope, reads, type Documents } from "@/kit/shapes";

const standing = z.object({ waiting: z.number(), due: z.number(), late: z.number(), retrying: z.number() });
const totals = z.object({
  intents: standing,
  deliveries: standing,
  held: z.number(),
  dead: z.number(),
  capped: z.boolean(),
});

export const overviewSchema = envelope(
  reads<Documents["OverviewDocument"]>()(
    z.object({
      minutes: z.array(
        z.object({
          at: z.string(),
          facts: z.number(),
          sent: z.number(),
          failed: z.number(),
          dead: z.number(),
        }),
      ),
      totals,
      lag: z.object({ intentsSeconds: z.number().nullable(), deliveriesSeconds: z.number().nullable() }),
      workers: z.number(),
      kindsWithoutWorker: z.array(z.string()),
      providers: z.array(
        z.object({
          id: z.string(),
          channel: z.string(),
          type: z.string(),
          name: z.string(),
          enabled: z.boolean(),
          circuit: z.enum(["closed", "open", "trying"]),
          lastError: z.string().nullable(),
          lastErrorAt: z.string().nullable(),
          sent: z.number(),
          failed: z.number(),
        }),
      ),
      failures: z.array(
        z.object({
          what: z.enum(["delivery", "intent"]),
          id: z.string(),
          name: z.string(),
          at: z.string(),
          why: z.string().nullable(),
          factId: z.string().nullable(),
        }),
      ),
      begun: z.object({
        fact: z.boolean(),
        rule: z.boolean(),
        person: z.boolean(),
        sandboxMessage: z.boolean(),
      }),
    }),
  ),
);
export type Overview = z.infer<typeof overviewSchema>["data"];
export type Minute = Overview["minutes"][number];
export type Health = Overview["providers"][number];
export type Failure = Overview["failures"][number];

export const pulseSchema = z.object({
  at: z.string(),
  facts: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
  dead: z.number(),
  waiting: z.number(),
  lagSeconds: z.number().nullable(),
});
export type Pulse = z.infer<typeof pulseSchema>;
