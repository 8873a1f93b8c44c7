import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function removeUser(id: string): Promise<void> {
  await client.DELETE("/v1/users/{id}", { params: { path: { id } } });
}

export function useRemoveUser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: removeUser,
    onSuccess: () => tellDone("They have no place here any more."),
    onError: tellFailed,
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: accessKeys.users });
      await queries.invalidateQueries({ queryKey: accessKeys.keys });
    },
  });
}
