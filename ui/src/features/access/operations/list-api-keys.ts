import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import { apiKeysSchema, type ApiKey } from "@/features/access/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listApiKeys(cursor: string | undefined): Promise<Page<ApiKey>> {
  return apiKeysSchema.parse(
    await answered(client.GET("/v1/keys", { params: { query: given({ cursor }) } })),
  );
}

export function useApiKeys(cursor: string | undefined) {
  return useQuery({
    queryKey: accessKeys.keyList(cursor),
    queryFn: () => listApiKeys(cursor),
    placeholderData: keepPreviousData,
  });
}
