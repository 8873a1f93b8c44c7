import type { Organization } from "@/features/organizations/schemas";

/** An organisation in its place: with what is below it, and how deep it is itself. */
export interface Place {
  organization: Organization;
  depth: number;
  /** It is not what was asked for, and is there to hang the others on. */
  context: boolean;
}

/** The parents that are named and not there. */
export function missingParents(organizations: readonly Organization[]): string[] {
  const there = new Set(organizations.map(({ id }) => id));
  const named = organizations.flatMap(({ parentId }) => (parentId === null ? [] : [parentId]));
  return [...new Set(named)].filter((id) => !there.has(id)).sort();
}

/**
 * All of them, partners right below their parents, in the order in which they came. What came with `above` only leads
 * to what was asked for; one whose parent is not there stands at the top.
 */
export function placesOf(asked: readonly Organization[], above: readonly Organization[]): Place[] {
  const context = new Set(above.map(({ id }) => id));
  asked.forEach(({ id }) => context.delete(id));
  const all = [...asked, ...above.filter(({ id }) => context.has(id))];
  const there = new Set(all.map(({ id }) => id));
  const isBelow = ({ parentId }: Organization, parent: string | null) =>
    parent === null ? parentId === null || !there.has(parentId) : parentId === parent;
  const walk = (parent: string | null, depth: number): Place[] =>
    all
      .filter((each) => isBelow(each, parent))
      .flatMap((organization) => [
        { organization, depth, context: context.has(organization.id) },
        ...walk(organization.id, depth + 1),
      ]);
  return walk(null, 0);
}
