import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import { ruleSchema, type Rule } from "@/features/rules/schemas";
import { answered, client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellFailed } from "@/kit/tell";

async function switchRule(id: string, enabled: boolean): Promise<Rule> {
  const params = { path: { id } };
  return ruleSchema.parse(await answered(client.PATCH("/v1/rules/{id}", { params, body: { enabled } }))).data;
}

/** On or off: shown at once, and taken back where the server does not agree. */
export function useSwitchRule(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => switchRule(id, enabled),
    onMutate: async (enabled) => {
      await queries.cancelQueries({ queryKey: rulesKeys.all });
      const before = queries.getQueriesData({ queryKey: rulesKeys.lists() });
      showAs(queries, id, enabled);
      return before;
    },
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: rulesKeys.all }),
  });
}

function showAs(queries: QueryClient, id: string, enabled: boolean): void {
  queries.setQueriesData<Page<Rule>>(
    { queryKey: rulesKeys.lists() },
    (page) =>
      page && { ...page, data: page.data.map((rule) => (rule.id === id ? { ...rule, enabled } : rule)) },
  );
}
