import type { Attempt, DeliveryStatus, Notice } from "@/features/activity/schemas";
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

const LEVEL: Record<Notice["level"], Meaning> = { info: "waiting", warning: "warning", critical: "bad" };

export function LevelBadge({ level }: { level: Notice["level"] }) {
  return <StatusBadge status={level} means={LEVEL[level]} />;
}
