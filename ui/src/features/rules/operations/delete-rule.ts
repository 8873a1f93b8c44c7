import { useMutation, useQueryClient } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function deleteRule(id: string): Promise<void> {
  await client.DELETE("/v1/rules/{id}", { params: { path: { id } } });
}

export function useDeleteRule() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: deleteRule,
    onSuccess: (_, id) => {
      queries.removeQueries({ queryKey: rulesKeys.detail(id) });
      tellDone("The rule is deleted.");
      return queries.invalidateQueries({ queryKey: rulesKeys.lists() });
    },
    onError: tellFailed,
  });
}
