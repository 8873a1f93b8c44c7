import { useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { organizationSchema, type Organization } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";

export async function getOrganization(organizationId: string): Promise<Organization> {
  const params = { path: { organizationId } };
  const reply = await answered(client.GET("/v1/organizations/{organizationId}", { params }));
  return organizationSchema.parse(reply).data;
}

export function useOrganization(id: string) {
  return useQuery({ queryKey: organizationsKeys.one(id), queryFn: () => getOrganization(id) });
}
