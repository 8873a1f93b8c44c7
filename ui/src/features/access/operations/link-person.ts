import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import type { User } from "@/features/access/schemas";
import { client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";
import { sessionKey } from "@/session/session";

export type Linking =
  | { do: "link"; personId: string; user: User }
  | { do: "unlink"; personId: string }
  | { do: "make"; user: User };

const DONE: Record<Linking["do"], string> = {
  link: "The login is this person's now.",
  unlink: "The login is nobody's now.",
  make: "There is a person for this login now.",
};

async function act(linking: Linking): Promise<void> {
  switch (linking.do) {
    case "link":
      return setLogin(linking.personId, linking.user.id);
    case "unlink":
      return setLogin(linking.personId, null);
    case "make": {
      const { name, email, id } = linking.user;
      await client.POST("/v1/people", { body: sent({ name, email, userId: id }) });
    }
  }
}

async function setLogin(id: string, userId: string | null): Promise<void> {
  await client.PATCH("/v1/people/{id}", { params: { path: { id } }, body: sent({ userId }) });
}

/** Says which of the people a login is. It may be one's own: then the session has changed, too. */
export function useLinkPerson() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (_, linking) => tellDone(DONE[linking.do]),
    onError: tellFailed,
    onSettled: async () => {
      for (const queryKey of [accessKeys.users, ["people"], sessionKey])
        await queries.invalidateQueries({ queryKey });
    },
  });
}
