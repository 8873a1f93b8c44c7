import { useQuery } from "@tanstack/react-query";
import { noticeKeys } from "@/features/activity/keys";
import { noticeSchema, type Notice } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";

async function getNotice(id: string): Promise<Notice> {
  return noticeSchema.parse(await answered(client.GET("/v1/notices/{id}", { params: { path: { id } } })))
    .data;
}

export function useNotice(id: string) {
  return useQuery({ queryKey: noticeKeys.detail(id), queryFn: () => getNotice(id) });
}
