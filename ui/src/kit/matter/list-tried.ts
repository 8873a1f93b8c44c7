import { useQuery } from "@tanstack/react-query";
import { inboxKeys } from "@/kit/matter/keys";
import { actedSchema, type Acted } from "@/kit/matter/schemas";
import { answered, client } from "@/kit/client";

async function listTried(id: string): Promise<Acted[]> {
  const params = { path: { id } };
  return actedSchema.parse(await answered(client.GET("/v1/notifications/{id}/actions", { params }))).data;
}

/** Everybody who acted on the matter of a notification, or tried to: the first, then the others. */
export function useTried(id: string) {
  return useQuery({ queryKey: inboxKeys.tried(id), queryFn: () => listTried(id) });
}
