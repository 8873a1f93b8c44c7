import { z } from "zod";
import { intentStatusSchema } from "@/kit/outbox/statuses";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const intent = reads<Documents["IntentDocument"]>()(
  z.object({
    id: z.string(),
    kind: z.string(),
    key: z.string().nullable(),
    factId: z.string().nullable(),
    stream: z.string().nullable(),
    payload: z.unknown(),
    dueAt: z.string(),
    runAt: z.string(),
    status: intentStatusSchema,
    attempts: z.number(),
    crashes: z.number(),
    maxAttempts: z.number().nullable(),
    lastError: z.string().nullable(),
    createdAt: z.string(),
    finishedAt: z.string().nullable(),
  }),
);
export type Intent = z.infer<typeof intent>;
export const intentSchema = envelope(intent);
export const intentsSchema = listing(intent);

export const statsSchema = envelope(
  reads<Documents["StatsDocument"]>()(
    z.object({
      counts: z.array(z.object({ kind: z.string(), status: intentStatusSchema, count: z.number() })),
      truncated: z.boolean(),
      lag: z.array(z.object({ kind: z.string(), oldestDueAt: z.string(), lagSeconds: z.number() })),
      kindsWithoutWorker: z.array(z.string()),
      blockedStreams: z.array(
        z.object({ kind: z.string(), stream: z.string(), blockedBy: z.string(), waiting: z.number() }),
      ),
    }),
  ),
);
export type OutboxStats = z.infer<typeof statsSchema>["data"];

export const redrivenSchema = envelope(
  reads<Documents["Redriven"]>()(z.object({ redriven: z.number(), more: z.boolean() })),
);

/** What the address of the page may hold. */
export const outboxSearchSchema = z.object({
  status: intentStatusSchema.optional().catch(undefined),
  kind: z.string().optional().catch(undefined),
  keyPrefix: z.string().optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
  intent: z.string().optional().catch(undefined),
});
export type OutboxFilter = Omit<z.infer<typeof outboxSearchSchema>, "intent">;
