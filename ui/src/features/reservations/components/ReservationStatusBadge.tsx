import { statusWords } from "@/features/reservations/logic/words";
import type { Status } from "@/features/reservations/searches";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const MEANS: Record<Status, Meaning> = {
  requested: "busy",
  postponed: "warning",
  confirmed: "good",
  rejected: "bad",
  cancelled: "waiting",
};

export function ReservationStatusBadge({ status }: { status: Status }) {
  return <StatusBadge status={statusWords[status]} means={MEANS[status]} />;
}
