import type { Notice } from "@/features/activity/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const LEVEL: Record<Notice["level"], Meaning> = { info: "waiting", warning: "warning", critical: "bad" };

export function LevelBadge({ level }: { level: Notice["level"] }) {
  return <StatusBadge status={level} means={LEVEL[level]} />;
}
