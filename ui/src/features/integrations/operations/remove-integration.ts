import { useMutation, useQueryClient } from "@tanstack/react-query";
import { integrationsKeys } from "@/features/integrations/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function removeIntegration(id: string): Promise<void> {
  await client.DELETE("/v1/integrations/{id}", { params: { path: { id } } });
}

export function useRemoveIntegration() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: removeIntegration,
    onSuccess: () => tellDone("It is deleted."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: integrationsKeys.all }),
  });
}
