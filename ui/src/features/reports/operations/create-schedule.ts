import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { bodyOf, type Draft } from "@/features/reports/logic/draft";
import { scheduleSchema, type Schedule } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function createSchedule(draft: Draft): Promise<Schedule> {
  const body = sent(bodyOf(draft));
  return scheduleSchema.parse(await answered(client.POST("/v1/schedules", { body }))).data;
}

/** What is refused is for the form to show; all else is told. */
export function useCreateSchedule() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: createSchedule,
    onSuccess: (schedule) => {
      queries.setQueryData(scheduleKeys.detail(schedule.id), schedule);
      tellDone("The schedule is there.");
      return queries.invalidateQueries({ queryKey: scheduleKeys.lists() });
    },
    onError: (error) => {
      if (!isStatus(error, 422)) tellFailed(error);
    },
  });
}
