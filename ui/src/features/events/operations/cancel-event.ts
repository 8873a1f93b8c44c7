import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { eventSchema, type TidingsEvent } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function cancelEvent(eventId: number): Promise<TidingsEvent> {
  const params = { path: { eventId } };
  return eventSchema.parse(await answered(client.POST("/v1/events/{eventId}/cancel", { params }))).data;
}

export function useCancelEvent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: cancelEvent,
    onSuccess: (event) => {
      queries.setQueryData(eventsKeys.detail(event.id), event);
      tellDone("It is cancelled. Who has joined is told.");
    },
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: eventsKeys.all }),
  });
}
