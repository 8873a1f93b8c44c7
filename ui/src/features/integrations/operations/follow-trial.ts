import { useQuery } from "@tanstack/react-query";
import { integrationsKeys } from "@/features/integrations/keys";
import { trialSchema, type Trial } from "@/features/integrations/schemas";
import { answered, client } from "@/kit/client";

const SOON = 1_000;
const LATER = 5_000;

async function getTrial(id: string, deliveryId: string): Promise<Trial> {
  const params = { path: { id, deliveryId } };
  const reply = await answered(client.GET("/v1/integrations/{id}/tests/{deliveryId}", { params }));
  return trialSchema.parse(reply).data;
}

/** What becomes of a test: asked for until it has ended, since somebody stands before it and waits. */
export function useFollowedTrial(id: string, deliveryId: string) {
  return useQuery({
    queryKey: integrationsKeys.trial(id, deliveryId),
    queryFn: () => getTrial(id, deliveryId),
    refetchInterval: ({ state }) => pause(state.data),
  });
}

function pause(trial: Trial | undefined): number | false {
  if (trial === undefined) return SOON;
  if (trial.finishedAt !== null || trial.status === "unknown") return false;
  return trial.status === "deferred" ? LATER : SOON;
}
