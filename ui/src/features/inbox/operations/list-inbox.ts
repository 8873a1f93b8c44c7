import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { InboxFilter } from "@/features/inbox/searches";
import { answered, client } from "@/kit/client";
import { inboxKeys } from "@/kit/matter/keys";
import { notificationsSchema, type Notification } from "@/kit/matter/schemas";
import { given, type Page } from "@/kit/shapes";

async function listInbox({ shelf, matters, ...rest }: InboxFilter): Promise<Page<Notification>> {
  const query = given({
    ...rest,
    unread: shelf === "unread" ? true : undefined,
    archived: shelf === "archived" ? true : undefined,
    open: matters === undefined ? undefined : matters === "waiting",
  });
  return notificationsSchema.parse(await answered(client.GET("/v1/inbox", { params: { query } })));
}

export function useInbox(filter: InboxFilter) {
  return useQuery({
    queryKey: inboxKeys.list(filter),
    queryFn: () => listInbox(filter),
    placeholderData: keepPreviousData,
  });
}
