import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { forecastKeys } from "@/features/forecast/keys";
import { forecastSchema, type ForecastReply } from "@/features/forecast/schemas";
import { answered, client } from "@/kit/client";
import { viewersZone } from "@/kit/time";

const FURTHEST = 31;
const SHOWN = 50;

interface Asking {
  days: number;
  limit: number;
  day?: string;
  cursor?: string;
}

async function getForecast(asking: Asking): Promise<ForecastReply> {
  const query = { tz: viewersZone(), ...asking };
  return forecastSchema.parse(await answered(client.GET("/v1/forecast", { params: { query } })));
}

/** How much comes on which day, by the viewer's own clock. */
export function useForecast(days: number) {
  return useQuery({
    queryKey: forecastKeys.calendar(days),
    queryFn: async () => (await getForecast({ days, limit: 1 })).data,
    placeholderData: keepPreviousData,
  });
}

/** What comes on one day, one by one. */
export function useDay(day: string) {
  return useInfiniteQuery({
    queryKey: forecastKeys.day(day),
    queryFn: ({ pageParam }) =>
      getForecast({
        days: FURTHEST,
        limit: SHOWN,
        day,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.pagination.nextCursor,
  });
}
