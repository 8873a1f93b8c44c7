import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { providersKeys } from "@/features/channels/keys";
import { providerSchema, type Provider } from "@/features/channels/schemas";
import { answered, client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

async function switchProvider(id: string, enabled: boolean): Promise<Provider> {
  const params = { path: { id } };
  return providerSchema.parse(
    await answered(client.PATCH("/v1/providers/{id}", { params, body: { enabled } })),
  ).data;
}

/** On or off: shown at once, and taken back where the server does not agree. */
export function useSwitchProvider(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => switchProvider(id, enabled),
    onMutate: async (enabled) => {
      await queries.cancelQueries({ queryKey: providersKeys.all });
      const before = queries.getQueriesData({ queryKey: providersKeys.all });
      showAs(queries, id, enabled);
      return before;
    },
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: providersKeys.all }),
  });
}

function showAs(queries: QueryClient, id: string, enabled: boolean): void {
  queries.setQueryData<Provider>(
    providersKeys.detail(id),
    (provider) => provider && { ...provider, enabled },
  );
  queries.setQueryData<Provider[]>(providersKeys.list(), (providers) =>
    providers?.map((provider) => (provider.id === id ? { ...provider, enabled } : provider)),
  );
}
