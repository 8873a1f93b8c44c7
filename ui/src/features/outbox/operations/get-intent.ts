import { useQuery } from "@tanstack/react-query";
import { outboxKeys } from "@/features/outbox/keys";
import { intentSchema, type Intent } from "@/features/outbox/schemas";
import { answered, client } from "@/kit/client";

async function getIntent(id: string): Promise<Intent> {
  const reply = await answered(client.GET("/v1/outbox/{id}", { params: { path: { id } } }));
  return intentSchema.parse(reply).data;
}

export function useIntent(id: string) {
  return useQuery({ queryKey: outboxKeys.detail(id), queryFn: () => getIntent(id) });
}
