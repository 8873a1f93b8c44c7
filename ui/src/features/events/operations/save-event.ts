import { useMutation, useQueryClient } from "@tanstack/react-query";
import { eventsKeys } from "@/features/events/keys";
import { bodyOf, changesOf, type Draft } from "@/features/events/logic/draft";
import { eventSchema, type TidingsEvent } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

/** What it was made from; of an event that is there, as which version it was read. */
export type Base = { is: "new" } | { is: "saved"; event: TidingsEvent; before: Draft };

interface Saving {
  base: Base;
  draft: Draft;
}

async function saveEvent({ base, draft }: Saving): Promise<TidingsEvent> {
  if (base.is === "new") {
    const body = sent(bodyOf(draft));
    return eventSchema.parse(await answered(client.POST("/v1/events", { body }))).data;
  }
  const { id: eventId, version } = base.event;
  const params = { path: { eventId }, header: { "If-Match": `"${version}"` } };
  const body = sent(changesOf(base.before, draft));
  return eventSchema.parse(await answered(client.PATCH("/v1/events/{eventId}", { params, body }))).data;
}

const FOR_THE_FORM = [409, 412, 422];

/** Faults of fields, and that somebody else was faster, are for the form to show; all else is told. */
export function useSaveEvent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: saveEvent,
    onSuccess: (event, { base }) => {
      queries.setQueryData(eventsKeys.detail(event.id), event);
      tellDone(base.is === "new" ? "The event is there." : "Saved. Who has joined is told.");
      return queries.invalidateQueries({ queryKey: eventsKeys.all });
    },
    onError: (error) => {
      if (!FOR_THE_FORM.some((status) => isStatus(error, status))) tellFailed(error);
    },
  });
}
