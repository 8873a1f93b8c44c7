import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { runsSchema, type Run } from "@/features/reports/schemas";
import type { RunsFilter } from "@/features/reports/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listRuns(scheduleId: number, filter: RunsFilter): Promise<Page<Run>> {
  const params = { path: { scheduleId }, query: given(filter) };
  return runsSchema.parse(await answered(client.GET("/v1/schedules/{scheduleId}/runs", { params })));
}

export function useScheduleRuns(id: number, filter: RunsFilter) {
  return useQuery({
    queryKey: scheduleKeys.runList(id, filter),
    queryFn: () => listRuns(id, filter),
    placeholderData: keepPreviousData,
  });
}
