import type { EventStatus } from "@/features/events/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const SAYS: Record<EventStatus, readonly [string, Meaning]> = {
  active: ["active", "good"],
  cancelled: ["cancelled", "bad"],
  completed: ["over", "waiting"],
};

export function EventStatusBadge({ status }: { status: EventStatus }) {
  const [says, means] = SAYS[status];
  return <StatusBadge status={says} means={means} />;
}
