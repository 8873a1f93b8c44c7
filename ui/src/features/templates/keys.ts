import type { TemplateKey } from "@/features/templates/schemas";
import type { Channel } from "@/kit/channels";

export const templatesKeys = {
  all: ["templates"] as const,
  list: () => [...templatesKeys.all, "list"] as const,
  detail: (key: TemplateKey, version: number | undefined) =>
    [...templatesKeys.all, "detail", key, version ?? null] as const,
  versions: (key: TemplateKey) => [...templatesKeys.all, "versions", key] as const,
  providers: (channel: Channel) => ["providers", "of", channel] as const,
};
