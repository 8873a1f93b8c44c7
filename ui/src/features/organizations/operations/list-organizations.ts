import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { organizationsSchema, type Organization } from "@/features/organizations/schemas";
import type { OrganizationsFilter } from "@/features/organizations/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

const MOST = 100;

interface Wanted extends OrganizationsFilter {
  parent?: string;
  limit?: number;
}

async function listOrganizations(wanted: Wanted): Promise<Page<Organization>> {
  const query = given(wanted);
  return organizationsSchema.parse(await answered(client.GET("/v1/organizations", { params: { query } })));
}

export function useOrganizations(filter: OrganizationsFilter) {
  return useQuery({
    queryKey: organizationsKeys.list(filter),
    queryFn: () => listOrganizations(filter),
    placeholderData: keepPreviousData,
  });
}

/** Its partners, the newest first. */
export function useBelow(parent: string) {
  return useQuery({
    queryKey: organizationsKeys.below(parent),
    queryFn: () => listOrganizations({ parent }),
  });
}

async function everyParent(): Promise<Organization[]> {
  const all: Organization[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listOrganizations({ status: "completed", cursor, limit: MOST });
    all.push(...page.data.filter(({ active }) => active));
    if (page.pagination.nextCursor === null) return all.sort((a, b) => a.name.localeCompare(b.name));
    cursor = page.pagination.nextCursor;
  }
}

/** All that can have partners, by name, to choose from. */
export function useEveryParent() {
  return useQuery({ queryKey: organizationsKeys.parents(), queryFn: everyParent });
}
