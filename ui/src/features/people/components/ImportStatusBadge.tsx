import { Group } from "@mantine/core";
import type { Import, ImportStatus } from "@/features/people/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";

const MEANS: Record<ImportStatus, Meaning> = {
  receiving: "busy",
  applying: "busy",
  refused: "bad",
  done: "good",
};

/** How it stands; of a check, that it was no more than that. */
export function ImportStatusBadge({ of }: { of: Import }) {
  const says = of.status === "done" && of.dryRun ? "all right" : of.status;
  return (
    <Group gap={4}>
      <StatusBadge status={says} means={MEANS[of.status]} />
      {of.dryRun && <StatusBadge status="check" means="waiting" />}
    </Group>
  );
}
