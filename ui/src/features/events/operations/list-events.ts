import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { eventsSchema, type EventsFilter, type TidingsEvent } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

/** Those that are not over yet, or those that are: by the clock, whatever their state. */
async function listEvents({ past, ...filter }: EventsFilter): Promise<Page<TidingsEvent>> {
  const now = new Date().toISOString();
  const query = { ...given(filter), ...(past === true ? { endsBefore: now } : { endsAfter: now }) };
  return eventsSchema.parse(await answered(client.GET("/v1/events", { params: { query } })));
}

export function useEvents(filter: EventsFilter) {
  return useQuery({
    queryKey: eventsKeys.list(filter),
    queryFn: () => listEvents(filter),
    placeholderData: keepPreviousData,
  });
}
