import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function leaveEvent(eventId: number): Promise<void> {
  await client.DELETE("/v1/events/{eventId}/subscriptions/me", { params: { path: { eventId } } });
}

export function useLeaveEvent(eventId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => leaveEvent(eventId),
    onSuccess: () => tellDone("You have left. Nobody is told."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: eventsKeys.all }),
  });
}
