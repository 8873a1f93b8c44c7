import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { NoticesFilter } from "@/features/activity/addresses";
import { noticeKeys } from "@/features/activity/keys";
import { noticesSchema, type Notice } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listNotices(filter: NoticesFilter): Promise<Page<Notice>> {
  return noticesSchema.parse(await answered(client.GET("/v1/notices", { params: { query: given(filter) } })));
}

export function useNotices(filter: NoticesFilter) {
  return useQuery({
    queryKey: noticeKeys.list(filter),
    queryFn: () => listNotices(filter),
    placeholderData: keepPreviousData,
  });
}
