import { useQuery } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import { ruleSchema, type Rule } from "@/features/rules/schemas";
import { answered, client } from "@/kit/client";

async function getRule(id: string): Promise<Rule> {
  return ruleSchema.parse(await answered(client.GET("/v1/rules/{id}", { params: { path: { id } } }))).data;
}

export function useRule(id: string) {
  return useQuery({ queryKey: rulesKeys.detail(id), queryFn: () => getRule(id) });
}
