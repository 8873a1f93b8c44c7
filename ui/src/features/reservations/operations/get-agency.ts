import { useQuery } from "@tanstack/react-query";
import { agenciesKeys } from "@/features/reservations/keys";
import { agencySchema, type Agency } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";

async function getAgency(agencyId: number): Promise<Agency> {
  const params = { path: { agencyId } };
  return agencySchema.parse(await answered(client.GET("/v1/agencies/{agencyId}", { params }))).data;
}

export function useAgency(id: number) {
  return useQuery({ queryKey: agenciesKeys.one(id), queryFn: () => getAgency(id) });
}
