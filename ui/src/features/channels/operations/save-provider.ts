import { useMutation, useQueryClient } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { bodyOf, changesOf, type Draft } from "@/features/channels/logic/draft";
import type { ConfigField } from "@/features/channels/logic/fields";
import { providerSchema, type Provider } from "@/features/channels/schemas";
import type { Channel } from "@/kit/channels";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

/** What it was made from; of a provider that is there, as which version it was read. */
export type Base =
  { is: "new"; channel: Channel; type: string } | { is: "saved"; provider: Provider; before: Draft };

interface Saving {
  base: Base;
  draft: Draft;
  fields: readonly ConfigField[];
}

async function saveProvider({ base, draft, fields }: Saving): Promise<Provider> {
  if (base.is === "new") {
    const { channel, type } = base;
    const body = sent({ channel, type, ...bodyOf(draft, fields) });
    return providerSchema.parse(await answered(client.POST("/v1/providers", { body }))).data;
  }
  const { id, version } = base.provider;
  const params = { path: { id }, header: { "If-Match": `"${version}"` } };
  const body = sent(changesOf(base.before, draft, fields));
  return providerSchema.parse(await answered(client.PATCH("/v1/providers/{id}", { params, body }))).data;
}

const FOR_THE_FORM = [409, 412, 422];

/** Faults of fields, a name that is taken and another's change are for the form to show; all else is told. */
export function useSaveProvider() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: saveProvider,
    onSuccess: (provider, { base }) => {
      queries.setQueryData(providersKeys.detail(provider.id), provider);
      tellDone(base.is === "new" ? "It is there. Send a test to see that it works." : "Saved, and in use.");
      return queries.invalidateQueries({ queryKey: providersKeys.all });
    },
    onError: (error) => {
      if (!FOR_THE_FORM.some((status) => isStatus(error, status))) tellFailed(error);
    },
  });
}
