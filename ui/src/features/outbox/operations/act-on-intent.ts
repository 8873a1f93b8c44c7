import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { outboxKeys } from "@/features/outbox/keys";
import { intentSchema, type Intent } from "@/features/outbox/schemas";
import { type IntentStatus } from "@/kit/outbox/statuses";
import { answered, client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

export type Deed = { do: "retry" } | { do: "cancel" } | { do: "reschedule"; runAt: string };

const BECOMES: Record<Deed["do"], IntentStatus> = {
  retry: "pending",
  cancel: "cancelled",
  reschedule: "pending",
};
const DONE: Record<Deed["do"], string> = {
  retry: "It is tried again now.",
  cancel: "It will not happen.",
  reschedule: "It waits for its new time.",
};

async function act(id: string, deed: Deed): Promise<Intent> {
  const params = { path: { id } };
  switch (deed.do) {
    case "retry":
      return intentSchema.parse(await answered(client.POST("/v1/outbox/{id}/retry", { params }))).data;
    case "cancel":
      return intentSchema.parse(await answered(client.POST("/v1/outbox/{id}/cancel", { params }))).data;
    case "reschedule": {
      const body = { runAt: deed.runAt };
      return intentSchema.parse(await answered(client.POST("/v1/outbox/{id}/reschedule", { params, body })))
        .data;
    }
  }
}

/** Shows what will be at once, and takes it back where the server does not agree. */
export function useActOnIntent(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deed: Deed) => act(id, deed),
    onMutate: async (deed) => {
      await queries.cancelQueries({ queryKey: outboxKeys.all });
      const before = queries.getQueriesData({ queryKey: outboxKeys.all });
      showAs(queries, id, BECOMES[deed.do]);
      return before;
    },
    onSuccess: (_, deed) => tellDone(DONE[deed.do]),
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: outboxKeys.all }),
  });
}

function showAs(queries: QueryClient, id: string, status: IntentStatus): void {
  queries.setQueryData<Intent>(outboxKeys.detail(id), (intent) => intent && { ...intent, status });
  queries.setQueriesData<Page<Intent>>(
    { queryKey: outboxKeys.lists() },
    (page) =>
      page && {
        ...page,
        data: page.data.map((intent) => (intent.id === id ? { ...intent, status } : intent)),
      },
  );
}
