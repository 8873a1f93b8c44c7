import { useMutation, useQueryClient } from "@tanstack/react-query";
import { inboxKeys } from "@/features/inbox/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

export function useReadAll() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.POST("/v1/inbox/read-all", { body: {} }),
    onSuccess: () => tellDone("All is read."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKeys.all }),
  });
}
