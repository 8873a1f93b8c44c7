import type { ScheduleStatus } from "@/features/reports/searches";
import { StatusBadge } from "@/kit/StatusBadge";

export function ScheduleStatusBadge({ status }: { status: ScheduleStatus }) {
  return <StatusBadge status={status} means={status === "active" ? "good" : "waiting"} />;
}
