import { useQuery } from "@tanstack/react-query";
import { scheduleKeys } from "@/features/reports/keys";
import { scheduleSchema, type Schedule } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";

async function getSchedule(scheduleId: number): Promise<Schedule> {
  const params = { path: { scheduleId } };
  return scheduleSchema.parse(await answered(client.GET("/v1/schedules/{scheduleId}", { params }))).data;
}

export function useSchedule(id: number) {
  return useQuery({ queryKey: scheduleKeys.detail(id), queryFn: () => getSchedule(id) });
}
