import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { stateSchema, type ScheduleState } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function pauseSchedule(scheduleId: number): Promise<ScheduleState> {
  const params = { path: { scheduleId } };
  return stateSchema.parse(await answered(client.POST("/v1/schedules/{scheduleId}/pause", { params }))).data;
}

export function usePauseSchedule(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => pauseSchedule(id),
    onSuccess: () => tellDone("It is paused."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: scheduleKeys.all }),
  });
}
