import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { schedulesSchema, type ListedSchedule } from "@/features/reports/schemas";
import type { SchedulesFilter } from "@/features/reports/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listSchedules(filter: SchedulesFilter): Promise<Page<ListedSchedule>> {
  const query = given(filter);
  return schedulesSchema.parse(await answered(client.GET("/v1/schedules", { params: { query } })));
}

export function useSchedules(filter: SchedulesFilter) {
  return useQuery({
    queryKey: scheduleKeys.list(filter),
    queryFn: () => listSchedules(filter),
    placeholderData: keepPreviousData,
  });
}
