import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { groupsSchema, type Group } from "@/features/people/schemas";
import type { GroupsFilter } from "@/features/people/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listGroups(filter: GroupsFilter): Promise<Page<Group>> {
  return groupsSchema.parse(await answered(client.GET("/v1/groups", { params: { query: given(filter) } })));
}

export function useGroups(filter: GroupsFilter) {
  return useQuery({
    queryKey: groupKeys.list(filter),
    queryFn: () => listGroups(filter),
    placeholderData: keepPreviousData,
  });
}
