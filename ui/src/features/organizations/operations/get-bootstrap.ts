import { useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { isOpen } from "@/features/organizations/logic/words";
import { bootstrapSchema, type Bootstrap } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";

const SOON = 2_000;

async function getBootstrap(organizationId: string): Promise<Bootstrap> {
  const params = { path: { organizationId } };
  const reply = await answered(client.GET("/v1/organizations/bootstrap/{organizationId}/status", { params }));
  return bootstrapSchema.parse(reply).data;
}

/** What it records is told at once. What its process says, nobody tells: so one asks, until it has ended. */
export function useBootstrap(id: string) {
  return useQuery({
    queryKey: organizationsKeys.bootstrap(id),
    queryFn: () => getBootstrap(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data.status) ? SOON : false),
  });
}
