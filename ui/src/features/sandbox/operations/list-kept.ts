import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { sandboxKeys } from "@/features/sandbox/keys";
import { keptListSchema, type Kept, type SandboxFilter } from "@/features/sandbox/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listKept(filter: SandboxFilter): Promise<Page<Kept>> {
  return keptListSchema.parse(
    await answered(client.GET("/v1/sandbox", { params: { query: given(filter) } })),
  );
}

export function useKeptList(filter: SandboxFilter) {
  return useQuery({
    queryKey: sandboxKeys.list(filter),
    queryFn: () => listKept(filter),
    placeholderData: keepPreviousData,
  });
}
