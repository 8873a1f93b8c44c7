import { Badge } from "@mantine/core";
import { meaning, type Meaning } from "@/kit/theme";

/** A state in its own word; the colour says it a second time, never alone. */
export function StatusBadge({ status, means }: { status: string; means: Meaning }) {
  return (
    <Badge variant="light" color={meaning[means]} tt="none" fw={560}>
      {status}
    </Badge>
  );
}
