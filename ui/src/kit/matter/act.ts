import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { inboxKeys } from "@/kit/matter/keys";
import {
  handledSchema,
  notificationSchema,
  type Action,
  type Handled,
  type Notification,
} from "@/kit/matter/schemas";
import { answered, client } from "@/kit/client";
import { isStatus, Problem } from "@/kit/problem";
import { sent, type Page } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

export interface Deed {
  action: Action;
  note?: string;
  proposedTime?: string;
}

async function act(id: string, deed: Deed): Promise<Notification> {
  const path = { params: { path: { id } }, body: sent(deed) };
  return notificationSchema.parse(await answered(client.POST("/v1/notifications/{id}/actions", path))).data;
}

/** What it will be if nobody was quicker: shown until the server has said how it is. */
export function ahead({ action, note, proposedTime }: Deed, me: string, now: Date): Handled {
  const by = { id: me, name: null };
  return { action, by, at: now.toISOString(), note: note ?? null, proposedTime: proposedTime ?? null };
}

/** Who was quicker, if that is why it was refused. */
export function quicker(error: unknown): Handled | null {
  if (!isStatus(error, 409)) return null;
  const told = handledSchema.safeParse((error as Problem).told.handled);
  return told.success ? told.data : null;
}

/** It may leave the list that one looks at: of what waits, for one. */
const DONE: Record<Action, string> = {
  CONFIRMED: "Confirmed.",
  REJECTED: "Rejected.",
  POSTPONED: "The other time is proposed.",
  DISMISSED: "Dismissed: nobody is asked any more.",
  CUSTOM: "Settled, with your note.",
};

/** Whatever comes of it is seen wherever the notification is shown. */
export function useAct(notification: Notification) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deed: Deed) => act(notification.id, deed),
    onSuccess: (now, { action }) => {
      put(queries, now);
      tellDone(DONE[action]);
    },
    onError: (error) => {
      const handled = quicker(error);
      if (handled !== null) put(queries, { ...notification, actions: [], handled });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: inboxKeys.all });
      void queries.invalidateQueries({ queryKey: ["reservations"] });
    },
  });
}

function put(queries: QueryClient, now: Notification): void {
  queries.setQueriesData<Page<Notification>>(
    { queryKey: inboxKeys.lists() },
    (page) => page && { ...page, data: page.data.map((one) => (one.id === now.id ? now : one)) },
  );
}
