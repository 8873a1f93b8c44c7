import { useQuery } from "@tanstack/react-query";
import { accountKeys } from "@/features/account/keys";
import { answered, client } from "@/kit/client";
import { preferencesSchema, type Preference } from "@/kit/preferences/schemas";

async function getMyPreferences(): Promise<Preference[]> {
  return preferencesSchema.parse(await answered(client.GET("/v1/people/me/preferences"))).data;
}

export function useMyPreferences() {
  return useQuery({ queryKey: accountKeys.preferences, queryFn: getMyPreferences });
}
