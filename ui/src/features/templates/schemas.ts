import { z } from "zod";
import { channelSchema } from "@/kit/channels";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const template = reads<Documents["TemplateDocument"]>()(
  z.object({
    name: z.string(),
    channel: channelSchema,
    locale: z.string(),
    builtIn: z.boolean(),
    version: z.number().nullable(),
    retired: z.boolean(),
    subject: z.string().nullable(),
    markup: z.string().nullable(),
    text: z.string().nullable(),
    changedBy: z.string().nullable(),
    createdAt: z.string().nullable(),
  }),
);
export type Template = z.infer<typeof template>;
export const templateSchema = envelope(template);
export const templatesSchema = listing(template);

/** Which template: its name, for one channel, in one language; '' for everybody else. */
export type TemplateKey = Pick<Template, "name" | "channel" | "locale">;

export const partNames = ["subject", "markup", "text"] as const;
export type PartName = (typeof partNames)[number];
/** What is written. A part that is empty is not there. */
export type Source = Record<PartName, string>;

export const providersSchema = envelope(
  z.array(
    reads<Documents["ProviderDocument"]>()(
      z.object({ id: z.string(), name: z.string(), type: z.string(), enabled: z.boolean() }),
    ),
  ),
);
export type Provider = z.infer<typeof providersSchema>["data"][number];

/** What the address of the editor may hold. */
export const templateSearchSchema = z.object({
  locale: z.string().optional().catch(undefined),
  /** An old version that is looked at. */
  version: z.number().int().optional().catch(undefined),
  versions: z.boolean().optional().catch(undefined),
});

export const templateParamsSchema = z.object({ name: z.string(), channel: channelSchema });
