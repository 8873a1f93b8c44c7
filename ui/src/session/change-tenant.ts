import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, setCsrfToken } from "@/kit/client";
import { tellFailed } from "@/kit/tell";
import { sessionSchema, type Session } from "@/session/schemas";
import { sessionKey } from "@/session/session";

async function changeTenant(tenant: string): Promise<Session> {
  const { data } = sessionSchema.parse(await answered(client.PATCH("/v1/session", { body: { tenant } })));
  setCsrfToken(data.csrfToken);
  return data;
}

/** Everything that was fetched was the other tenant's: it is forgotten, and the socket is opened anew. */
export function useChangeTenant() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: changeTenant,
    onSuccess: (session) => {
      queries.clear();
      queries.setQueryData(sessionKey, session);
    },
    onError: tellFailed,
  });
}
