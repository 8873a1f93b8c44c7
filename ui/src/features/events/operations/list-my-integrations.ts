import { useQuery } from "@tanstack/react-query";
import { integrationsKeys } from "@/features/events/keys";
import { integrationsSchema, type Integration } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";

/** As many as one may have, and more. */
const ALL = 100;

async function listMyIntegrations(): Promise<Integration[]> {
  const query = { limit: ALL };
  return integrationsSchema.parse(await answered(client.GET("/v1/integrations", { params: { query } }))).data;
}

/** To choose from. */
export function useMyIntegrations() {
  return useQuery({ queryKey: integrationsKeys.choice, queryFn: listMyIntegrations });
}
