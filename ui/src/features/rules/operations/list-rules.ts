import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import { rulesSchema, type Rule, type RulesFilter } from "@/features/rules/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listRules(filter: RulesFilter): Promise<Page<Rule>> {
  return rulesSchema.parse(await answered(client.GET("/v1/rules", { params: { query: given(filter) } })));
}

export function useRules(filter: RulesFilter) {
  return useQuery({
    queryKey: rulesKeys.list(filter),
    queryFn: () => listRules(filter),
    placeholderData: keepPreviousData,
  });
}
