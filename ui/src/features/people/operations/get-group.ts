import { useQuery } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { groupSchema, type Group } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";

async function getGroup(id: string): Promise<Group> {
  return groupSchema.parse(await answered(client.GET("/v1/groups/{id}", { params: { path: { id } } }))).data;
}

/** Asks for nothing where no group is named. */
export function useGroup(id: string | null) {
  return useQuery({
    queryKey: groupKeys.one(id ?? ""),
    queryFn: () => getGroup(id ?? ""),
    enabled: id !== null,
  });
}
