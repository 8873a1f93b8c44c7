import { statusMeans, statusWords } from "@/features/organizations/logic/words";
import type { Status } from "@/features/organizations/searches";
import { StatusBadge } from "@/kit/StatusBadge";

export function OrganizationStatusBadge({ status }: { status: Status }) {
  return <StatusBadge status={statusWords[status]} means={statusMeans[status]} />;
}
