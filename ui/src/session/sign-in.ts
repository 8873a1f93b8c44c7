import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, client, setCsrfToken } from "@/kit/client";

export type Credentials = { email: string; password: string } | { token: string };

async function signIn(credentials: Credentials): Promise<void> {
  const { data } = await answered(client.POST("/v1/session", { body: credentials }));
  setCsrfToken(data.csrfToken);
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: signIn,
    onSuccess: () => queries.clear(), // whoever was here before may have been somebody else
  });
}
