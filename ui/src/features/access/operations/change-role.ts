import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import type { MemberRole, User } from "@/features/access/schemas";
import { client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

interface Change {
  id: string;
  role: MemberRole;
}

async function changeRole({ id, role }: Change): Promise<void> {
  await client.PATCH("/v1/users/{id}", { params: { path: { id } }, body: { role } });
}

/** Shows the new role at once, and takes it back where the server does not agree. */
export function useChangeRole() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: changeRole,
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: accessKeys.users });
      const before = queries.getQueriesData({ queryKey: accessKeys.users });
      showAs(queries, change);
      return before;
    },
    onSuccess: (_, { role }) =>
      tellDone(role === "admin" ? "They are an admin now." : "They are a member now."),
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: accessKeys.users }),
  });
}

function showAs(queries: QueryClient, { id, role }: Change): void {
  queries.setQueriesData<Page<User>>(
    { queryKey: accessKeys.users },
    (page) => page && { ...page, data: page.data.map((user) => (user.id === id ? { ...user, role } : user)) },
  );
}
