import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { messagesKeys } from "@/features/events/keys";
import { resultsSchema, type Result, type ResultStatus } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

const SOON = 2_000;

interface Wanted {
  eventId: number;
  noticeId: string;
  status: ResultStatus | undefined;
  cursor: string | undefined;
}

async function listResults({ eventId, noticeId, status, cursor }: Wanted): Promise<Page<Result>> {
  const params = { path: { eventId, noticeId }, query: given({ status, cursor }) };
  const reply = await answered(client.GET("/v1/events/{eventId}/deliveries/{noticeId}/results", { params }));
  return resultsSchema.parse(reply);
}

/** What became of one message, subscriber by subscriber. */
export function useResults(wanted: Wanted, isMoving: boolean) {
  const { eventId, noticeId, status, cursor } = wanted;
  return useQuery({
    queryKey: messagesKeys.results(eventId, noticeId, status, cursor),
    queryFn: () => listResults(wanted),
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? SOON : false,
  });
}
