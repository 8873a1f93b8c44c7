import type { EventMessage, Level, ResultStatus } from "@/features/events/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const LEVEL: Record<Level, Meaning> = { info: "busy", warning: "warning", critical: "bad" };

export function LevelBadge({ level }: { level: Level }) {
  return <StatusBadge status={level} means={LEVEL[level]} />;
}

const KIND: Record<EventMessage["kind"], string> = {
  updated: "a change",
  cancelled: "the cancellation",
  announced: "an announcement",
  reminder: "a reminder",
};

export function kindInWords(kind: EventMessage["kind"]): string {
  return KIND[kind];
}

const RESULT: Record<ResultStatus, readonly [string, Meaning]> = {
  delivered: ["delivered", "good"],
  pending: ["under way", "busy"],
  failed: ["failed", "bad"],
  no_targets: ["no target", "warning"],
};

export function ResultBadge({ status }: { status: ResultStatus }) {
  const [says, means] = RESULT[status];
  return <StatusBadge status={says} means={means} />;
}

export function resultWord(status: ResultStatus): string {
  return RESULT[status][0];
}
