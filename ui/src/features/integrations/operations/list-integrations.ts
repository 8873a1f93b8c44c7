import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { integrationsKeys } from "@/features/integrations/keys";
import { integrationsSchema, type Integration } from "@/features/integrations/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listIntegrations(cursor: string | undefined): Promise<Page<Integration>> {
  const params = { query: given({ cursor }) };
  return integrationsSchema.parse(await answered(client.GET("/v1/integrations", { params })));
}

export function useIntegrations(cursor: string | undefined) {
  return useQuery({
    queryKey: integrationsKeys.list(cursor),
    queryFn: () => listIntegrations(cursor),
    placeholderData: keepPreviousData,
  });
}
