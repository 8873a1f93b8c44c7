import type { Attempt, DeliveryStatus } from "@/kit/delivery/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const STATUS: Record<DeliveryStatus, readonly [Meaning, string]> = {
  pending: ["waiting", "waiting"],
  sending: ["busy", "sending"],
  deferred: ["warning", "retrying"],
  unknown: ["warning", "held"],
  sent: ["good", "sent"],
  skipped: ["waiting", "skipped"],
  failed: ["bad", "failed"],
};

export function DeliveryStatusBadge({ status }: { status: DeliveryStatus }) {
  const [means, says] = STATUS[status];
  return <StatusBadge status={says} means={means} />;
}

/** What the filter calls a state. */
export function deliveryStatusWord(status: DeliveryStatus): string {
  return STATUS[status][1];
}

const OUTCOME: Record<Attempt["outcome"], readonly [Meaning, string]> = {
  sent: ["good", "sent"],
  deferred: ["warning", "not taken"],
  rejected: ["bad", "refused"],
  unknown: ["warning", "no answer"],
  skipped: ["waiting", "skipped"],
  expired: ["bad", "out of time"],
  crashed: ["warning", "worker died"],
  quiet: ["waiting", "quiet hours"],
};

export function OutcomeBadge({ outcome }: { outcome: Attempt["outcome"] }) {
  const [means, says] = OUTCOME[outcome];
  return <StatusBadge status={says} means={means} />;
}
