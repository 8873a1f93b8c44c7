import { useQuery } from "@tanstack/react-query";
import { accountKeys } from "@/features/account/keys";
import { meSchema, type Me } from "@/features/account/schemas";
import { answered, client } from "@/kit/client";

async function getMe(): Promise<Me> {
  return meSchema.parse(await answered(client.GET("/v1/people/me"))).data;
}

export function useMe() {
  return useQuery({ queryKey: accountKeys.me, queryFn: getMe });
}
