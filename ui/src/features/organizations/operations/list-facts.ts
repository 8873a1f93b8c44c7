import { useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { factsSchema, type OrganizationFact } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";

async function listFacts(organizationId: string): Promise<OrganizationFact[]> {
  const params = { path: { organizationId } };
  const reply = await answered(client.GET("/v1/organizations/{organizationId}/facts", { params }));
  return factsSchema.parse(reply).data;
}

/** All that happened to it, in order. */
export function useFacts(id: string) {
  return useQuery({ queryKey: organizationsKeys.facts(id), queryFn: () => listFacts(id) });
}
