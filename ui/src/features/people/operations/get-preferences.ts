import { useQuery } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { answered, client } from "@/kit/client";
import { preferencesSchema, type Preference } from "@/kit/preferences/schemas";

async function getPreferences(id: string): Promise<Preference[]> {
  const params = { path: { id } };
  return preferencesSchema.parse(await answered(client.GET("/v1/people/{id}/preferences", { params }))).data;
}

export function usePreferences(personId: string) {
  return useQuery({ queryKey: peopleKeys.preferences(personId), queryFn: () => getPreferences(personId) });
}
