import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { stateSchema, type ScheduleState } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function resumeSchedule(scheduleId: number): Promise<ScheduleState> {
  const params = { path: { scheduleId } };
  return stateSchema.parse(await answered(client.POST("/v1/schedules/{scheduleId}/resume", { params }))).data;
}

export function useResumeSchedule(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => resumeSchedule(id),
    onSuccess: () => tellDone("It runs again, from now on."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: scheduleKeys.all }),
  });
}
