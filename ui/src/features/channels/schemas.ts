import { z } from "zod";
import { channelSchema } from "@/kit/channels";
import { envelope, reads, type Documents } from "@/kit/shapes";

const provider = reads<Documents["ProviderDocument"]>()(
  z.object({
    id: z.string(),
    channel: channelSchema,
    type: z.string(),
    name: z.string(),
    builtIn: z.boolean(),
    enabled: z.boolean(),
    priority: z.number(),
    config: z.record(z.string(), z.unknown()),
    version: z.number(),
    concurrency: z.number().nullable(),
    rate: z.object({ count: z.number(), period: z.string() }).nullable(),
    onUnknown: z.enum(["resend", "hold"]).nullable(),
    maxAttempts: z.number().nullable(),
    expiresAfter: z.string().nullable(),
    circuit: z.object({
      state: z.enum(["closed", "open", "trying"]),
      openUntil: z.string().nullable(),
      failures: z.number(),
      lastError: z.string().nullable(),
      lastErrorAt: z.string().nullable(),
    }),
    receiptsUrl: z.string().nullable(),
  }),
);
export type Provider = z.infer<typeof provider>;
export const providerSchema = envelope(provider);
export const providersSchema = envelope(z.array(provider));

const providerType = reads<Documents["ProviderTypeDocument"]>()(
  z.object({
    type: z.string(),
    channels: z.array(channelSchema),
    config: z.record(z.string(), z.unknown()),
    onUnknown: z.enum(["resend", "hold"]),
  }),
);
export type ProviderType = z.infer<typeof providerType>;
export const providerTypesSchema = envelope(z.array(providerType));

/** What the address of a new one may hold. */
export const newProviderSearchSchema = z.object({
  channel: channelSchema.optional().catch(undefined),
  type: z.string().optional().catch(undefined),
});
