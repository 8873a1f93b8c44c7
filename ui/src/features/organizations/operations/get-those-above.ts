import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { missingParents } from "@/features/organizations/logic/tree";
import { getOrganization } from "@/features/organizations/operations/get-organization";
import type { Organization } from "@/features/organizations/schemas";
import { isStatus } from "@/kit/problem";

async function getThoseAbove(below: readonly Organization[]): Promise<Organization[]> {
  const above: Organization[] = [];
  const hidden = new Set<string>();
  for (;;) {
    const missing = missingParents([...below, ...above]).filter((id) => !hidden.has(id));
    if (missing.length === 0) return above;
    const found = await Promise.all(missing.map(orNone));
    above.push(...found.filter((each) => each !== null));
    missing.filter((_, place) => found[place] === null).forEach((id) => hidden.add(id));
  }
}

/** One that is not for who looks to see is none. */
async function orNone(id: string): Promise<Organization | null> {
  try {
    return await getOrganization(id);
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/** The parents of those on a page, theirs, and so on to the top: a tree does not begin in the air. */
export function useThoseAbove(below: readonly Organization[] | undefined) {
  const missing = missingParents(below ?? []);
  return useQuery({
    queryKey: organizationsKeys.above(missing),
    queryFn: () => getThoseAbove(below ?? []),
    enabled: missing.length > 0,
    placeholderData: keepPreviousData,
  });
}
