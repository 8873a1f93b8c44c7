import { useQuery } from "@tanstack/react-query";
import { feedKeys } from "@/features/events/keys";
import { feedSchema, type Feed } from "@/features/events/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";

/** Null where the calendar has no address. */
async function getFeed(): Promise<Feed | null> {
  try {
    return feedSchema.parse(await answered(client.GET("/v1/calendar-feed"))).data;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

export function useFeed() {
  return useQuery({ queryKey: feedKeys.mine, queryFn: getFeed });
}
