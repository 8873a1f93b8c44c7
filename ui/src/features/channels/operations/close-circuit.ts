import { useMutation, useQueryClient } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { providerSchema, type Provider } from "@/features/channels/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function closeCircuit(id: string): Promise<Provider> {
  const params = { path: { id } };
  return providerSchema.parse(await answered(client.POST("/v1/providers/{id}/close", { params }))).data;
}

export function useCloseCircuit(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => closeCircuit(id),
    onSuccess: () => tellDone("What waits goes out now."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: providersKeys.all }),
  });
}
