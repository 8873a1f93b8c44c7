import { useQuery } from "@tanstack/react-query";
import { overviewSchema, type Overview } from "@/features/overview/schemas";
import { answered, client } from "@/kit/client";

export const overviewKey = ["overview"] as const;

async function getOverview(): Promise<Overview> {
  return overviewSchema.parse(await answered(client.GET("/v1/overview"))).data;
}

export function useOverview() {
  return useQuery({ queryKey: overviewKey, queryFn: getOverview });
}
