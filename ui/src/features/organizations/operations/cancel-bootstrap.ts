import { useMutation, useQueryClient } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function cancelBootstrap(organizationId: string): Promise<void> {
  const params = { path: { organizationId } };
  await client.POST("/v1/organizations/bootstrap/{organizationId}/cancel", { params });
}

export function useCancelBootstrap() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: cancelBootstrap,
    onSuccess: () => tellDone("It is cancelled. What was done is taken back."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: organizationsKeys.all }),
  });
}
