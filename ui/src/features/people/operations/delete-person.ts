import { useMutation, useQueryClient } from "@tanstack/react-query";
import { groupKeys, peopleKeys } from "@/features/people/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function deletePerson(id: string): Promise<void> {
  await client.DELETE("/v1/people/{id}", { params: { path: { id } } });
}

export function useDeletePerson(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => deletePerson(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: peopleKeys.one(id) });
      tellDone("Deleted. Nothing reaches them any more.");
      void queries.invalidateQueries({ queryKey: groupKeys.all });
      return queries.invalidateQueries({ queryKey: peopleKeys.lists() });
    },
    onError: tellFailed,
  });
}
