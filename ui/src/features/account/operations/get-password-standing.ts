import { useQuery } from "@tanstack/react-query";
import { accountKeys } from "@/features/account/keys";
import { passwordStandingSchema, type PasswordStanding } from "@/features/account/schemas";
import { answered, client } from "@/kit/client";

async function getPasswordStanding(): Promise<PasswordStanding> {
  return passwordStandingSchema.parse(await answered(client.GET("/v1/session/password"))).data;
}

export function usePasswordStanding() {
  return useQuery({ queryKey: accountKeys.password, queryFn: getPasswordStanding });
}
