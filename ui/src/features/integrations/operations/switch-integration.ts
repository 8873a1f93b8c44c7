import { useMutation, useQueryClient } from "@tanstack/react-query";
import { integrationsKeys } from "@/features/integrations/keys";
import { integrationSchema, type Integration } from "@/features/integrations/schemas";
import { answered, client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellFailed } from "@/kit/tell";

async function switchIntegration(id: string, active: boolean): Promise<Integration> {
  const params = { path: { id } };
  const body = { active };
  return integrationSchema.parse(await answered(client.PATCH("/v1/integrations/{id}", { params, body })))
    .data;
}

/** On or off: shown at once, and taken back where the server does not agree. */
export function useSwitchIntegration(id: string) {
  const queries = useQueryClient();
  const lists = [...integrationsKeys.all, "list"];
  return useMutation({
    mutationFn: (active: boolean) => switchIntegration(id, active),
    onMutate: async (active) => {
      await queries.cancelQueries({ queryKey: integrationsKeys.all });
      const before = queries.getQueriesData({ queryKey: lists });
      queries.setQueriesData<Page<Integration>>(
        { queryKey: lists },
        (page) =>
          page && { ...page, data: page.data.map((one) => (one.id === id ? { ...one, active } : one)) },
      );
      return before;
    },
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: integrationsKeys.all }),
  });
}
