import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";
import { sessionSchema, type Session } from "@/session/schemas";
import { enter, sessionKey } from "@/session/session";

export async function changeTenant(tenant: string): Promise<Session> {
  return sessionSchema.parse(await answered(client.PATCH("/v1/session", { body: { tenant } }))).data;
}

/** The socket of the tenant that was left may close before this is answered; whoever is first, the other changes nothing. */
export function useChangeTenant(onArrived: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: changeTenant,
    onSuccess: (session) => {
      enter(queries, session);
      queries.setQueryData(sessionKey, session);
      onArrived();
    },
    onError: tellFailed,
  });
}
