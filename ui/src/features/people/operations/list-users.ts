import { useQuery } from "@tanstack/react-query";
import { userKeys } from "@/features/people/keys";
import { usersSchema, type User } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";

const MOST = 100;

/** The first hundred, to choose a login from. */
async function listUsers(): Promise<User[]> {
  const params = { query: { limit: MOST } };
  return usersSchema.parse(await answered(client.GET("/v1/users", { params }))).data;
}

export function useUsers() {
  return useQuery({ queryKey: userKeys.names(), queryFn: listUsers });
}
