import { useQuery } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { providerTypesSchema, type ProviderType } from "@/features/channels/schemas";
import { answered, client } from "@/kit/client";

async function listProviderTypes(): Promise<ProviderType[]> {
  return providerTypesSchema.parse(await answered(client.GET("/v1/provider-types"))).data;
}

/** They come with the server, and stay as they are while it runs. */
export function useProviderTypes() {
  return useQuery({ queryKey: providersKeys.types(), queryFn: listProviderTypes, staleTime: Infinity });
}
