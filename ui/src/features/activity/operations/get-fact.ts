import { useQuery } from "@tanstack/react-query";
import { factKeys } from "@/features/activity/keys";
import { factSchema, type Fact } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";

async function getFact(id: string): Promise<Fact> {
  return factSchema.parse(await answered(client.GET("/v1/facts/{id}", { params: { path: { id } } }))).data;
}

export function useFact(id: string) {
  return useQuery({ queryKey: factKeys.detail(id), queryFn: () => getFact(id) });
}
