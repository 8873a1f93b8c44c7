import { runStatusWords } from "@/features/reports/logic/words";
import type { RunStatus } from "@/features/reports/searches";
import { StatusBadge } from "@/kit/StatusBadge";

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const [words, means] = runStatusWords[status];
  return <StatusBadge status={words} means={means} />;
}
