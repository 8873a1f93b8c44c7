import { useMutation, useQueryClient } from "@tanstack/react-query";
import { agenciesKeys } from "@/features/reservations/keys";
import { client } from "@/kit/client";
import { tellDone } from "@/kit/tell";

async function deleteAgency(agencyId: number): Promise<void> {
  await client.DELETE("/v1/agencies/{agencyId}", { params: { path: { agencyId } } });
}

/** Why it was refused is for the question to show. */
export function useDeleteAgency(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => deleteAgency(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: agenciesKeys.one(id) });
      tellDone("The agency is gone. Its people stay.");
      return queries.invalidateQueries({ queryKey: agenciesKeys.all });
    },
  });
}
