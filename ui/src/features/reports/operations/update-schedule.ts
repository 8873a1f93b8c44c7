import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { changesOf, type Draft } from "@/features/reports/logic/draft";
import { scheduleSchema, type Schedule } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function updateSchedule(schedule: Schedule, draft: Draft): Promise<Schedule> {
  const params = { path: { scheduleId: schedule.id } };
  const body = sent(changesOf(schedule, draft));
  const reply = await answered(client.PATCH("/v1/schedules/{scheduleId}", { params, body }));
  return scheduleSchema.parse(reply).data;
}

/** What is refused is for the form to show; all else is told. */
export function useUpdateSchedule(schedule: Schedule) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: Draft) => updateSchedule(schedule, draft),
    onSuccess: (changed) => {
      queries.setQueryData(scheduleKeys.detail(changed.id), changed);
      tellDone("Saved.");
      return queries.invalidateQueries({ queryKey: scheduleKeys.all });
    },
    onError: (error) => {
      if (!isStatus(error, 422)) tellFailed(error);
    },
  });
}
