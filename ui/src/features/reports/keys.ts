import type { PreviewBody } from "@/features/reports/logic/draft";
import type { RunsFilter, SchedulesFilter } from "@/features/reports/searches";

/** The server names `reports` when schedules or runs change. */
export const scheduleKeys = {
  all: ["reports"] as const,
  lists: () => [...scheduleKeys.all, "list"] as const,
  list: (filter: SchedulesFilter) => [...scheduleKeys.lists(), filter] as const,
  detail: (id: number) => [...scheduleKeys.all, "detail", id] as const,
  runs: (id: number) => [...scheduleKeys.detail(id), "runs"] as const,
  runList: (id: number, filter: RunsFilter) => [...scheduleKeys.runs(id), filter] as const,
};

/** Nobody changes these while they are looked at. */
export const reportTypesKey = ["report-types"] as const;
export const previewKeys = {
  of: (timing: PreviewBody | null) => ["report-preview", timing] as const,
};
