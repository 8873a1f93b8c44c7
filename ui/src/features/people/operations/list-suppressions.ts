import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { suppressionKeys } from "@/features/people/keys";
import { suppressionsSchema, type Suppression } from "@/features/people/schemas";
import type { SuppressionsFilter } from "@/features/people/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listSuppressions(filter: SuppressionsFilter): Promise<Page<Suppression>> {
  const params = { query: given(filter) };
  return suppressionsSchema.parse(await answered(client.GET("/v1/suppressions", { params })));
}

export function useSuppressions(filter: SuppressionsFilter) {
  return useQuery({
    queryKey: suppressionKeys.list(filter),
    queryFn: () => listSuppressions(filter),
    placeholderData: keepPreviousData,
  });
}
