import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { messagesKeys } from "@/features/events/keys";
import { isMoving } from "@/features/events/logic/messages";
import { messagesSchema, type EventMessage } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

const A_PAGE = 10;
const SOON = 1_500;

async function listMessages(eventId: number, cursor: string | undefined): Promise<Page<EventMessage>> {
  const params = { path: { eventId }, query: given({ cursor, limit: A_PAGE }) };
  return messagesSchema.parse(await answered(client.GET("/v1/events/{eventId}/deliveries", { params })));
}

/** What was said to all, the newest first. Nobody is told of each attempt; so one asks while something is under way. */
export function useMessages(eventId: number, cursor: string | undefined, isAwaited: boolean) {
  return useQuery({
    queryKey: messagesKeys.list(eventId, cursor),
    queryFn: () => listMessages(eventId, cursor),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isAwaited || state.data?.data.some(isMoving) === true ? SOON : false),
  });
}
