import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { subscriptionsSchema, type Subscription } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

const A_PAGE = 10;
const MOST = 100;
/** As many as one announcement may name. */
const CHOSEN = 1_000;

async function listSubscribers(
  eventId: number,
  limit: number,
  cursor: string | undefined,
): Promise<Page<Subscription>> {
  const params = { path: { eventId }, query: given({ cursor, limit }) };
  const reply = await answered(client.GET("/v1/events/{eventId}/subscriptions", { params }));
  return subscriptionsSchema.parse(reply);
}

/** A page of those who have joined, for the organiser. */
export function useSubscribers(eventId: number, cursor: string | undefined) {
  return useQuery({
    queryKey: eventsKeys.subscribers(eventId, cursor),
    queryFn: () => listSubscribers(eventId, A_PAGE, cursor),
    placeholderData: keepPreviousData,
  });
}

async function everySubscriber(eventId: number): Promise<Subscription[]> {
  const all: Subscription[] = [];
  let cursor: string | undefined;
  do {
    const { data, pagination } = await listSubscribers(eventId, MOST, cursor);
    all.push(...data);
    cursor = pagination.nextCursor ?? undefined;
  } while (cursor !== undefined && all.length < CHOSEN);
  return all;
}

/** To choose from: as many as can be chosen. */
export function useEverySubscriber(eventId: number) {
  return useQuery({
    queryKey: eventsKeys.everySubscriber(eventId),
    queryFn: () => everySubscriber(eventId),
  });
}
