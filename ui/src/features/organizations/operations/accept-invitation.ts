import { useMutation, useQueryClient } from "@tanstack/react-query";
import { openedKey } from "@/features/organizations/keys";
import { joinedSchema, type Joined } from "@/features/organizations/schemas";
import { answered, client, setCsrfToken } from "@/kit/client";
import { enter, useSessionQuery } from "@/session/session";
import { changeTenant } from "@/session/change-tenant";

/** Without a password, it is accepted by who is signed in. */
export interface Acceptance {
  token: string;
  password?: string;
}

async function acceptInvitation(body: Acceptance): Promise<Joined> {
  return joinedSchema.parse(await answered(client.POST("/v1/invitations/accept", { body }))).data;
}

/** Whoever accepts is signed in afterwards, and in the house of that tenant. */
export function useAcceptInvitation() {
  const queries = useQueryClient();
  const session = useSessionQuery();
  return useMutation({
    mutationFn: async (acceptance: Acceptance) => {
      const joined = await acceptInvitation(acceptance);
      if (joined.csrfToken !== null) setCsrfToken(joined.csrfToken);
      else if (joined.tenant !== session.data?.tenant) enter(queries, await changeTenant(joined.tenant));
      return joined;
    },
    onSuccess: () => queries.clear(), // whoever was here before was somebody else, or elsewhere
    onError: () => queries.invalidateQueries({ queryKey: openedKey }), // it may be of no use by now
  });
}
