import { useQuery } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { untilRested } from "@/features/channels/logic/resting";
import { providersSchema, type Provider } from "@/features/channels/schemas";
import { answered, client } from "@/kit/client";

async function listProviders(): Promise<Provider[]> {
  return providersSchema.parse(await answered(client.GET("/v1/providers"))).data;
}

/** All of them, in the order in which each channel uses them. */
export function useProviders() {
  return useQuery({
    queryKey: providersKeys.list(),
    queryFn: listProviders,
    refetchInterval: ({ state }) => untilRested(state.data ?? []),
  });
}
