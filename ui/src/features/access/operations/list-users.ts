import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import { usersSchema, type User } from "@/features/access/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listUsers(cursor: string | undefined, limit = 50): Promise<Page<User>> {
  const query = { ...given({ cursor }), limit };
  return usersSchema.parse(await answered(client.GET("/v1/users", { params: { query } })));
}

export function useUsers(cursor: string | undefined) {
  return useQuery({
    queryKey: accessKeys.userList(cursor),
    queryFn: () => listUsers(cursor),
    placeholderData: keepPreviousData,
  });
}

/** What the users are called, by their ids: of the first hundred. */
export function useUserNames(): Record<string, string> {
  const users = useQuery({ queryKey: accessKeys.userNames, queryFn: () => listUsers(undefined, 100) });
  return Object.fromEntries((users.data?.data ?? []).map(({ id, name }) => [id, name]));
}
