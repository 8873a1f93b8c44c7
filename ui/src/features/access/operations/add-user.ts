import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import { addedUserSchema, type AddedUser, type MemberRole } from "@/features/access/schemas";
import { answered, client } from "@/kit/client";

export interface WantedUser {
  email: string;
  name: string | null;
  role: MemberRole;
}

async function addUser(wanted: WantedUser): Promise<AddedUser> {
  return addedUserSchema.parse(await answered(client.POST("/v1/users", { body: { ...wanted, link: true } })))
    .data;
}

/** What is refused is for the form to show. */
export function useAddUser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: addUser,
    gcTime: 0, // the link is not kept
    onSettled: () => queries.invalidateQueries({ queryKey: accessKeys.users }),
  });
}
