import { useMutation, useQueryClient } from "@tanstack/react-query";
import { integrationsKeys } from "@/features/integrations/keys";
import { integrationSchema, type Integration } from "@/features/integrations/schemas";
import { answered, client } from "@/kit/client";
import { tellDone } from "@/kit/tell";

export interface Draft {
  name: string;
  /** Goes in, and never comes out. Left empty, the stored one stays. */
  url: string;
  tags: string[];
}

interface Saving {
  /** None for a new one. */
  id: string | undefined;
  draft: Draft;
}

async function saveIntegration({ id, draft }: Saving): Promise<Integration> {
  const [name, url, tags] = [draft.name.trim(), draft.url.trim(), draft.tags];
  if (id === undefined) {
    const body = { name, url, tags };
    return integrationSchema.parse(await answered(client.POST("/v1/integrations", { body }))).data;
  }
  const params = { path: { id } };
  const body = { name, tags, ...(url === "" ? {} : { url }) };
  return integrationSchema.parse(await answered(client.PATCH("/v1/integrations/{id}", { params, body })))
    .data;
}

/** What is refused is for the form to show. */
export function useSaveIntegration() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: saveIntegration,
    onSuccess: (_, { id }) => {
      tellDone(id === undefined ? "It is there. Send a test to see that it works." : "Saved, and in use.");
      return queries.invalidateQueries({ queryKey: integrationsKeys.all });
    },
  });
}
