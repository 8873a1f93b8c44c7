import { useQuery } from "@tanstack/react-query";
import { messagesKeys } from "@/features/events/keys";
import { isCounting } from "@/features/events/logic/messages";
import { totalsSchema, type Totals } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";

const SOON = 1_500;

async function getTotals(eventId: number, noticeId: string): Promise<Totals> {
  const params = { path: { eventId, noticeId } };
  const reply = await answered(client.GET("/v1/events/{eventId}/deliveries/{noticeId}", { params }));
  return totalsSchema.parse(reply).data;
}

/** One message, counted by subscription; asked for again while something is under way. */
export function useTotals(eventId: number, noticeId: string) {
  return useQuery({
    queryKey: messagesKeys.totals(eventId, noticeId),
    queryFn: () => getTotals(eventId, noticeId),
    refetchInterval: ({ state }) => (state.data === undefined || isCounting(state.data) ? SOON : false),
  });
}
