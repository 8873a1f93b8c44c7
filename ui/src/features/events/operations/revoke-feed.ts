import { useMutation, useQueryClient } from "@tanstack/react-query";
import { feedKeys } from "@/features/events/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function revokeFeed(): Promise<void> {
  await client.DELETE("/v1/calendar-feed");
}

export function useRevokeFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: revokeFeed,
    onSuccess: () => tellDone("Nobody reads your calendar there any more."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: feedKeys.mine }),
  });
}
