import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import type { Group, Person } from "@/features/people/schemas";
import { client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellFailed } from "@/kit/tell";

export interface Membership {
  groupId: string;
  personId: string;
}

async function removeMember({ groupId, personId }: Membership): Promise<void> {
  await client.DELETE("/v1/groups/{id}/members/{personId}", { params: { path: { id: groupId, personId } } });
}

/** Gone at once, from the group and from the person's groups; back where the server does not agree. */
export function useRemoveMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: removeMember,
    onMutate: async (membership) => {
      await queries.cancelQueries({ queryKey: groupKeys.all });
      const before = queries.getQueriesData({ queryKey: groupKeys.all });
      showWithout(queries, membership);
      return before;
    },
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: groupKeys.all }),
  });
}

function showWithout(queries: QueryClient, { groupId, personId }: Membership): void {
  queries.setQueriesData<Page<Person>>(
    { queryKey: groupKeys.members(groupId) },
    (page) => page && { ...page, data: page.data.filter(({ id }) => id !== personId) },
  );
  queries.setQueryData<Page<Group>>(
    groupKeys.of(personId),
    (page) => page && { ...page, data: page.data.filter(({ id }) => id !== groupId) },
  );
}
