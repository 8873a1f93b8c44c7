import { Anchor, Button, Stack, Text } from "@mantine/core";
import { RunDetail } from "@/features/reports/components/RunDetail";
import classes from "@/features/reports/components/RunRow.module.css";
import { RunStatusBadge } from "@/features/reports/components/RunStatusBadge";
import { isRepeated, repeatable, type Repeating } from "@/features/reports/logic/repeating";
import { countsInWords, wallInWords, whyInWords } from "@/features/reports/logic/words";
import { useRepeatRun } from "@/features/reports/operations/repeat-run";
import type { Run } from "@/features/reports/schemas";
import { Row } from "@/kit/Rows";
import { When } from "@/kit/When";

interface Props {
  scheduleId: number;
  run: Run;
  /** Those beside it: one of them may repeat it. */
  among: readonly Run[];
  isOpen: boolean;
  onToggle: () => void;
}

const DEEDS: Record<Repeating, string> = { retry: "Try again", resend: "Send again" };

/** One run: when it was due, how it went; and, when it is opened, for each recipient. */
export function RunRow({ scheduleId, run, among, isOpen, onToggle }: Props) {
  const { id, slot, status, errorMessage, completedAt, createdAt, documentUrl, counts } = run;
  const repeat = useRepeatRun(scheduleId, id);
  const how = isRepeated(id, among) ? null : repeatable(run);
  const why = whyInWords(run);
  return (
    <Row
      faint={status === "cancelled"}
      deeds={
        how !== null && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${DEEDS[how]}: run ${id}`}
            loading={repeat.isPending}
            onClick={() => repeat.mutate(how)}
          >
            {DEEDS[how]}
          </Button>
        )
      }
    >
      <Stack gap={2} align="flex-start">
        <Anchor
          component="button"
          type="button"
          size="sm"
          fw={600}
          ta="left"
          c="var(--mantine-color-text)"
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          {wallInWords(slot)}
        </Anchor>
        <Text size="xs" c="dimmed">
          Run {id}
          {why !== "" && `, ${why}`}
        </Text>
      </Stack>
      <Stack gap={2} align="flex-start">
        <RunStatusBadge status={status} />
        <Text size="xs" c="dimmed">
          <When at={completedAt ?? createdAt} />
        </Text>
      </Stack>
      <Stack gap={2} align="flex-start">
        <Text size="sm" className="numbers">
          {countsInWords(counts)}
        </Text>
        {documentUrl !== null && (
          <Anchor
            href={documentUrl}
            download
            size="xs"
            underline="always"
            aria-label={`Document of run ${id}`}
          >
            Document
          </Anchor>
        )}
      </Stack>
      {errorMessage !== null && (
        <Text
          size="sm"
          className={classes.wide ?? ""}
          c={status === "cancelled" ? "dimmed" : "var(--mantine-color-error)"}
        >
          {errorMessage}
        </Text>
      )}
      {isOpen && (
        <div className={classes.wide}>
          <RunDetail run={run} />
        </div>
      )}
    </Row>
  );
}
