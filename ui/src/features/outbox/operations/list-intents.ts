import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { outboxKeys } from "@/features/outbox/keys";
import { intentsSchema, type Intent, type OutboxFilter } from "@/features/outbox/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listIntents(filter: OutboxFilter): Promise<Page<Intent>> {
  return intentsSchema.parse(await answered(client.GET("/v1/outbox", { params: { query: given(filter) } })));
}

export function useIntents(filter: OutboxFilter) {
  return useQuery({
    queryKey: outboxKeys.list(filter),
    queryFn: () => listIntents(filter),
    placeholderData: keepPreviousData,
  });
}
