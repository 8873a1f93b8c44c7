import { useMutation, useQueryClient } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function deleteSchedule(scheduleId: number): Promise<void> {
  await client.DELETE("/v1/schedules/{scheduleId}", { params: { path: { scheduleId } } });
}

export function useDeleteSchedule(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => deleteSchedule(id),
    onSuccess: () => {
      tellDone("The schedule is gone.");
      void queries.invalidateQueries({ queryKey: scheduleKeys.lists() });
    },
    onError: tellFailed,
  });
}
