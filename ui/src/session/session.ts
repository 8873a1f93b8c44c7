import { queryOptions, useQuery, type QueryClient, type QueryFunctionContext } from "@tanstack/react-query";
import { createContext, use } from "react";
import { answered, client, setCsrfToken, setTenant } from "@/kit/client";
import { sessionSchema, type Role, type Session } from "@/session/schemas";

export const sessionKey = ["session"] as const;

async function getSession({ client: queries }: QueryFunctionContext): Promise<Session> {
  const { data } = sessionSchema.parse(await answered(client.GET("/v1/session")));
  enter(queries, data);
  return data;
}

/** What was fetched in another tenant is forgotten before anything of this one is shown. */
export function enter(queries: QueryClient, session: Session): void {
  setCsrfToken(session.csrfToken);
  setTenant(session.tenant);
  if (queries.getQueryData<Session>(sessionKey)?.tenant === session.tenant) return;
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

export const sessionQuery = queryOptions({ queryKey: sessionKey, queryFn: getSession, staleTime: 60_000 });

export function useSessionQuery() {
  return useQuery(sessionQuery);
}

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only below the shell, which lets nobody else in. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error("nobody is signed in here");
  return session;
}

const RANK: Record<Role, number> = { member: 0, admin: 1, operator: 2 };

/** Whether who is signed in may do what that role may. The server decides; this only keeps buttons from lying. */
export function useMay(needed: Role): boolean {
  return RANK[useSession().role] >= RANK[needed];
}
