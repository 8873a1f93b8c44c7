import { useInfiniteQuery } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import { ruleVersionsSchema, type RuleVersion } from "@/features/rules/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listRuleVersions(id: string, cursor: string | undefined): Promise<Page<RuleVersion>> {
  const params = { path: { id }, query: given({ cursor }) };
  return ruleVersionsSchema.parse(await answered(client.GET("/v1/rules/{id}/versions", { params })));
}

export function useRuleVersions(id: string) {
  return useInfiniteQuery({
    queryKey: rulesKeys.versions(id),
    queryFn: ({ pageParam }) => listRuleVersions(id, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.nextCursor ?? undefined,
  });
}
