import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { peopleSchema, type Person } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listMembers(id: string, cursor: string | undefined): Promise<Page<Person>> {
  const params = { path: { id }, query: given({ cursor }) };
  return peopleSchema.parse(await answered(client.GET("/v1/groups/{id}/members", { params })));
}

export function useMembers(groupId: string, cursor: string | undefined) {
  return useQuery({
    queryKey: groupKeys.membersPage(groupId, cursor),
    queryFn: () => listMembers(groupId, cursor),
    placeholderData: keepPreviousData,
  });
}
