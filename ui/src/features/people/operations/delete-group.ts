import { useMutation, useQueryClient } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function deleteGroup(id: string): Promise<void> {
  await client.DELETE("/v1/groups/{id}", { params: { path: { id } } });
}

export function useDeleteGroup(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => deleteGroup(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: groupKeys.one(id) });
      queries.removeQueries({ queryKey: groupKeys.members(id) });
      tellDone("The group is gone. Its people stay.");
      return queries.invalidateQueries({ queryKey: groupKeys.all });
    },
    onError: tellFailed,
  });
}
