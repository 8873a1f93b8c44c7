import { useQuery } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import { providersSchema, type Provider } from "@/features/templates/schemas";
import type { Channel } from "@/kit/channels";
import { answered, client } from "@/kit/client";

async function listProviders(channel: Channel): Promise<Provider[]> {
  const params = { query: { channel } };
  const { data } = providersSchema.parse(await answered(client.GET("/v1/providers", { params })));
  return data.filter((provider) => provider.enabled);
}

export function useProviders(channel: Channel) {
  return useQuery({ queryKey: templatesKeys.providers(channel), queryFn: () => listProviders(channel) });
}
