import { useMutation, useQueryClient } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function retryDns(organizationId: string): Promise<void> {
  const params = { path: { organizationId } };
  await client.POST("/v1/organizations/bootstrap/{organizationId}/retry-dns", { params });
}

export function useRetryDns() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: retryDns,
    onSuccess: () => tellDone("DNS is looked up now."),
    onError: tellFailed,
    onSettled: (_, __, id) => queries.invalidateQueries({ queryKey: organizationsKeys.bootstrap(id) }),
  });
}
