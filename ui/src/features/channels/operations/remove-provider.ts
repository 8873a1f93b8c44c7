import { useMutation, useQueryClient } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function removeProvider(id: string): Promise<void> {
  await client.DELETE("/v1/providers/{id}", { params: { path: { id } } });
}

export function useRemoveProvider() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: removeProvider,
    onSuccess: (_, id) => {
      tellDone("It is removed, and its credentials with it.");
      queries.removeQueries({ queryKey: providersKeys.detail(id) });
      return queries.invalidateQueries({ queryKey: providersKeys.list() });
    },
    onError: tellFailed,
  });
}
