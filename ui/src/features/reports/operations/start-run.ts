import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { runSchema, type Run } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function startRun(scheduleId: number): Promise<Run> {
  const params = { path: { scheduleId } };
  return runSchema.parse(await answered(client.POST("/v1/schedules/{scheduleId}/runs", { params }))).data;
}

export function useStartRun(scheduleId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => startRun(scheduleId),
    onSuccess: () => tellDone("It is being made, and mailed to all."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: scheduleKeys.all }),
  });
}
