import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { previewKeys } from "@/features/reports/keys";
import type { PreviewBody } from "@/features/reports/logic/draft";
import { occurrencesSchema, type Occurrence } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";

async function previewSchedule(timing: PreviewBody | null): Promise<Occurrence[]> {
  const asking = client.POST("/v1/schedules/preview", { body: sent(timing ?? {}) });
  return occurrencesSchema.parse(await answered(asking)).data;
}

/** When it would run; nothing is asked while nobody can say (null). What was said last stays meanwhile. */
export function useSchedulePreview(timing: PreviewBody | null) {
  return useQuery({
    queryKey: previewKeys.of(timing),
    queryFn: () => previewSchedule(timing),
    enabled: timing !== null,
    placeholderData: keepPreviousData,
  });
}
