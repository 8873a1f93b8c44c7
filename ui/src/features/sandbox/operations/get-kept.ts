import { useQuery } from "@tanstack/react-query";
import { sandboxKeys } from "@/features/sandbox/keys";
import { keptInFullSchema, type KeptInFull } from "@/features/sandbox/schemas";
import { answered, client } from "@/kit/client";

async function getKept(id: string): Promise<KeptInFull> {
  return keptInFullSchema.parse(await answered(client.GET("/v1/sandbox/{id}", { params: { path: { id } } })))
    .data;
}

export function useKept(id: string) {
  return useQuery({ queryKey: sandboxKeys.detail(id), queryFn: () => getKept(id), staleTime: Infinity });
}
