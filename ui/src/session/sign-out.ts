import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, setCsrfToken, setTenant } from "@/kit/client";

async function signOut(): Promise<void> {
  await client.DELETE("/v1/session");
  setCsrfToken(null);
  setTenant(null);
}

/** Forgets everything that was fetched, too. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: signOut, onSuccess: () => queries.clear() });
}
