import { useQuery } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { untilRested } from "@/features/channels/logic/resting";
import { providerSchema, type Provider } from "@/features/channels/schemas";
import { answered, client } from "@/kit/client";

async function getProvider(id: string): Promise<Provider> {
  return providerSchema.parse(await answered(client.GET("/v1/providers/{id}", { params: { path: { id } } })))
    .data;
}

export function useProvider(id: string) {
  return useQuery({
    queryKey: providersKeys.detail(id),
    queryFn: () => getProvider(id),
    refetchInterval: ({ state }) => untilRested(state.data === undefined ? [] : [state.data]),
  });
}
