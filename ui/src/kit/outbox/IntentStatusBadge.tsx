import type { IntentStatus } from "@/kit/outbox/statuses";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const MEANS: Record<IntentStatus, Meaning> = {
  pending: "waiting",
  processing: "busy",
  failed: "warning",
  enqueued: "busy",
  succeeded: "good",
  dead: "bad",
  cancelled: "waiting",
};
const SAYS: Partial<Record<IntentStatus, string>> = { failed: "retrying", succeeded: "done" };

export function IntentStatusBadge({ status }: { status: IntentStatus }) {
  return <StatusBadge status={SAYS[status] ?? status} means={MEANS[status]} />;
}
