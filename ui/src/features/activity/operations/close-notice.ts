import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deliveryKeys, noticeKeys } from "@/features/activity/keys";
import { noticeSchema, type Notice } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function closeNotice(id: string, reason: string): Promise<Notice> {
  const reply = await answered(
    client.POST("/v1/notices/{id}/close", { params: { path: { id } }, body: { reason } }),
  );
  return noticeSchema.parse(reply).data;
}

export function useCloseNotice(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => closeNotice(id, reason),
    onSuccess: (notice) => {
      queries.setQueryData(noticeKeys.detail(id), notice);
      tellDone("The notice is closed. What of it still waited is not sent.");
    },
    onError: tellFailed,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: noticeKeys.all }),
        queries.invalidateQueries({ queryKey: deliveryKeys.all }),
      ]),
  });
}
