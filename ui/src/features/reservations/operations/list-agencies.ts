import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { agenciesKeys } from "@/features/reservations/keys";
import { agenciesSchema, type Agency } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listAgencies(cursor?: string, limit?: number): Promise<Page<Agency>> {
  const query = given({ cursor, limit });
  return agenciesSchema.parse(await answered(client.GET("/v1/agencies", { params: { query } })));
}

export function useAgencies(cursor: string | undefined) {
  return useQuery({
    queryKey: agenciesKeys.page(cursor),
    queryFn: () => listAgencies(cursor),
    placeholderData: keepPreviousData,
  });
}

async function everyAgency(): Promise<Agency[]> {
  const all: Agency[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listAgencies(cursor, 100);
    all.push(...page.data);
    if (page.pagination.nextCursor === null) return all.sort((a, b) => a.name.localeCompare(b.name));
    cursor = page.pagination.nextCursor;
  }
}

/** All of them by name, to choose from. */
export function useEveryAgency() {
  return useQuery({ queryKey: agenciesKeys.every(), queryFn: everyAgency });
}
