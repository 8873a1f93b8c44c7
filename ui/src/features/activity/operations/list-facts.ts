import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { FactsFilter } from "@/features/activity/addresses";
import { factKeys } from "@/features/activity/keys";
import { factsSchema, type Fact } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listFacts(filter: FactsFilter): Promise<Page<Fact>> {
  return factsSchema.parse(await answered(client.GET("/v1/facts", { params: { query: given(filter) } })));
}

export function useFacts(filter: FactsFilter) {
  return useQuery({
    queryKey: factKeys.list(filter),
    queryFn: () => listFacts(filter),
    placeholderData: keepPreviousData,
  });
}
