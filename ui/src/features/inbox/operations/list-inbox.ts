import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { inboxKeys } from "@/features/inbox/keys";
import { notificationsSchema, type InboxFilter, type Notification } from "@/features/inbox/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listInbox({ shelf, level, cursor }: InboxFilter): Promise<Page<Notification>> {
  const query = given({
    level,
    cursor,
    unread: shelf === "unread" ? true : undefined,
    archived: shelf === "archived" ? true : undefined,
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
