import { z } from "zod";
import { attemptSchema, deliveryStatusSchema } from "@/kit/delivery/schemas";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const integration = reads<Documents["IntegrationDocument"]>()(
  z.object({
    id: z.string(),
    name: z.string(),
    leadsTo: z.string(),
    tags: z.array(z.string()),
    active: z.boolean(),
    inactiveReason: z.string().nullable(),
    createdAt: z.string(),
  }),
);
export type Integration = z.infer<typeof integration>;
export const integrationSchema = envelope(integration);
export const integrationsSchema = listing(integration);

export const triedSchema = envelope(
  reads<Documents["IntegrationTriedDocument"]>()(z.object({ deliveryId: z.string() })),
);

export const trialSchema = envelope(
  reads<Documents["IntegrationTestDocument"]>()(
    z.object({
      deliveryId: z.string(),
      status: deliveryStatusSchema,
      attempts: z.number(),
      lastError: z.string().nullable(),
      finishedAt: z.string().nullable(),
      history: z.array(
        z.object({
          outcome: attemptSchema.shape.outcome,
          reason: z.string().nullable(),
          receipt: z.string().nullable(),
          tookSeconds: z.number().nullable(),
          endedAt: z.string(),
        }),
      ),
    }),
  ),
);
export type Trial = z.infer<typeof trialSchema>["data"];

/** What the address of the page may hold. */
export const integrationsSearchSchema = z.object({ cursor: z.string().optional().catch(undefined) });
