import { useQuery } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { groupsSchema, type Group } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import type { Page } from "@/kit/shapes";

async function listGroupsOfPerson(id: string): Promise<Page<Group>> {
  const params = { path: { id }, query: { limit: 100 } };
  return groupsSchema.parse(await answered(client.GET("/v1/people/{id}/groups", { params })));
}

/** The newest hundred that somebody belongs to. */
export function useGroupsOfPerson(personId: string) {
  return useQuery({ queryKey: groupKeys.of(personId), queryFn: () => listGroupsOfPerson(personId) });
}
