import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function revokeApiKey(id: string): Promise<void> {
  await client.DELETE("/v1/keys/{id}", { params: { path: { id } } });
}

export function useRevokeApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: revokeApiKey,
    onSuccess: () => tellDone("The key is revoked. Nothing comes in with it any more."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: accessKeys.keys }),
  });
}
