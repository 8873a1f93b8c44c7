import { z } from "zod";
import { channelSchema } from "@/kit/channels";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const keptFields = {
  id: z.string(),
  channel: channelSchema,
  to: z.string().nullable(),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  createdAt: z.string(),
};
const kept = reads<Documents["KeptDocument"]>()(z.object(keptFields));
export type Kept = z.infer<typeof kept>;
export const keptListSchema = listing(kept);

const keptInFull = reads<Documents["KeptInFullDocument"]>()(
  z.object({
    ...keptFields,
    name: z.string().nullable(),
    html: z.string().nullable(),
    level: z.string().nullable(),
    data: z.record(z.string(), z.unknown()).nullable(),
    unsubscribeUrl: z.string().nullable(),
    buttons: z.array(z.object({ label: z.string(), url: z.string() })),
    attachments: z.array(z.record(z.string(), z.unknown())),
  }),
);
export type KeptInFull = z.infer<typeof keptInFull>;
export const keptInFullSchema = envelope(keptInFull);

export const clearedSchema = envelope(
  reads<Documents["ClearedDocument"]>()(z.object({ removed: z.number() })),
);

/** What the address of the page may hold. */
export const sandboxSearchSchema = z.object({
  channel: channelSchema.optional().catch(undefined),
  personId: z.string().optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
export type SandboxFilter = Omit<z.infer<typeof sandboxSearchSchema>, "message">;
