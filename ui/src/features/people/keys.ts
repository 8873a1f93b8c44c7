import type { GroupsFilter, PeopleFilter, SuppressionsFilter } from "@/features/people/searches";

/** Each begins with the resource whose changes make it stale. */
export const peopleKeys = {
  all: ["people"] as const,
  lists: () => [...peopleKeys.all, "list"] as const,
  list: (filter: PeopleFilter) => [...peopleKeys.lists(), filter] as const,
  one: (id: string) => [...peopleKeys.all, "one", id] as const,
  topics: (id: string) => [...peopleKeys.all, "topics", id] as const,
  preferences: (id: string) => [...peopleKeys.all, "preferences", id] as const,
};

export const groupKeys = {
  all: ["groups"] as const,
  lists: () => [...groupKeys.all, "list"] as const,
  list: (filter: GroupsFilter) => [...groupKeys.lists(), filter] as const,
  one: (id: string) => [...groupKeys.all, "one", id] as const,
  members: (id: string) => [...groupKeys.all, "members", id] as const,
  membersPage: (id: string, cursor: string | undefined) =>
    [...groupKeys.members(id), cursor ?? null] as const,
  of: (personId: string) => [...groupKeys.all, "of", personId] as const,
};

export const importKeys = {
  all: ["imports"] as const,
  list: (cursor: string | undefined) => [...importKeys.all, "list", cursor ?? null] as const,
  one: (id: string) => [...importKeys.all, "one", id] as const,
  errors: (id: string, cursor: string | undefined) =>
    [...importKeys.all, "errors", id, cursor ?? null] as const,
};

export const suppressionKeys = {
  all: ["suppressions"] as const,
  lists: () => [...suppressionKeys.all, "list"] as const,
  list: (filter: SuppressionsFilter) => [...suppressionKeys.lists(), filter] as const,
};

export const userKeys = { all: ["users"] as const, names: () => [...userKeys.all, "names"] as const };
