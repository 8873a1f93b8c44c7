import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { answered, client } from "@/kit/client";
import { preferencesSchema, type Preference } from "@/kit/preferences/schemas";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function setPreferences(id: string, preferences: Preference[]): Promise<Preference[]> {
  const asked = client.PUT("/v1/people/{id}/preferences", {
    params: { path: { id } },
    body: sent({ preferences }),
  });
  return preferencesSchema.parse(await answered(asked)).data;
}

export function useSetPreferences(personId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (preferences: Preference[]) => setPreferences(personId, preferences),
    onSuccess: (kept) => {
      queries.setQueryData(peopleKeys.preferences(personId), kept);
      tellDone("Saved. It counts from the next message on.");
    },
    onError: tellFailed,
  });
}
