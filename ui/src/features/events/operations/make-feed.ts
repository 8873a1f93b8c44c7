import { useMutation, useQueryClient } from "@tanstack/react-query";
import { feedKeys } from "@/features/events/keys";
import { newFeedSchema } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

async function makeFeed(): Promise<string> {
  return newFeedSchema.parse(await answered(client.PUT("/v1/calendar-feed"))).data.url;
}

/** Brings the address, which is shown once; one that was there before is good no more. */
export function useMakeFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: makeFeed,
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: feedKeys.mine }),
  });
}
