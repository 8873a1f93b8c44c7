import { useQuery } from "@tanstack/react-query";
import { outboxKeys } from "@/features/outbox/keys";
import { statsSchema, type OutboxStats } from "@/features/outbox/schemas";
import { answered, client } from "@/kit/client";

async function getStats(): Promise<OutboxStats> {
  return statsSchema.parse(await answered(client.GET("/v1/outbox/stats"))).data;
}

export function useOutboxStats() {
  return useQuery({ queryKey: outboxKeys.stats(), queryFn: getStats });
}
