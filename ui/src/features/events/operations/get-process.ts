import { useQuery } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { processSchema, type Process } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";

const NOW_AND_THEN = 10_000;

async function getProcess(eventId: number): Promise<Process> {
  const params = { path: { eventId } };
  return processSchema.parse(await answered(client.GET("/v1/events/{eventId}/process", { params }))).data;
}

/** Temporal tells nobody what it does; so one asks now and then, until it has ended. */
export function useProcess(eventId: number) {
  return useQuery({
    queryKey: eventsKeys.process(eventId),
    queryFn: () => getProcess(eventId),
    refetchInterval: ({ state }) => (state.data?.state === "ended" ? false : NOW_AND_THEN),
  });
}
