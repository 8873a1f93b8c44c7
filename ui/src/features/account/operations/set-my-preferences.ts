import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accountKeys } from "@/features/account/keys";
import { answered, client } from "@/kit/client";
import { preferencesSchema, type Preference } from "@/kit/preferences/schemas";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function setMyPreferences(preferences: Preference[]): Promise<Preference[]> {
  const body = sent({ preferences });
  return preferencesSchema.parse(await answered(client.PUT("/v1/people/me/preferences", { body }))).data;
}

export function useSetMyPreferences() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: setMyPreferences,
    onSuccess: (kept) => {
      queries.setQueryData(accountKeys.preferences, kept);
      tellDone("Your preferences are saved.");
    },
    onError: tellFailed,
  });
}
