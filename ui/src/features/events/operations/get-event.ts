import { useQuery } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { eventSchema, type TidingsEvent } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";

async function getEvent(eventId: number): Promise<TidingsEvent> {
  const params = { path: { eventId } };
  return eventSchema.parse(await answered(client.GET("/v1/events/{eventId}", { params }))).data;
}

export function useEvent(id: number) {
  return useQuery({ queryKey: eventsKeys.detail(id), queryFn: () => getEvent(id) });
}
