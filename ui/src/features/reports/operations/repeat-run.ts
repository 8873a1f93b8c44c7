import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import type { Repeating } from "@/features/reports/logic/repeating";
import { runSchema, type Run } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function repeatRun(scheduleId: number, runId: number, how: Repeating): Promise<Run> {
  const params = { path: { scheduleId, runId } };
  const asking =
    how === "retry"
      ? client.POST("/v1/schedules/{scheduleId}/runs/{runId}/retry", { params })
      : client.POST("/v1/schedules/{scheduleId}/runs/{runId}/resend", { params });
  return runSchema.parse(await answered(asking)).data;
}

const SAID: Record<Repeating, string> = {
  retry: "It is tried again, in another run.",
  resend: "It is sent again to those whom it did not reach.",
};

/** Another run, after one that went wrong. */
export function useRepeatRun(scheduleId: number, runId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (how: Repeating) => repeatRun(scheduleId, runId, how),
    onSuccess: (_run, how) => tellDone(SAID[how]),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: scheduleKeys.all }),
  });
}
