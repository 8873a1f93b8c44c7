import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { PauseOrResume } from "@/features/reports/components/PauseOrResume";
import { RunStatusBadge } from "@/features/reports/components/RunStatusBadge";
import { ScheduleStatusBadge } from "@/features/reports/components/ScheduleStatusBadge";
import { Times } from "@/features/reports/components/Times";
import { cadenceInWords } from "@/features/reports/logic/words";
import { useReportTypes } from "@/features/reports/operations/list-report-types";
import type { ListedSchedule } from "@/features/reports/schemas";
import { Row, Rows } from "@/kit/Rows";
import { When } from "@/kit/When";

export function ScheduleList({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const types = useReportTypes().data ?? [];
  return (
    <Rows label="Schedules" columns="minmax(0, 1.6fr) minmax(0, 1.2fr) minmax(0, 1fr)" deeds="110px">
      {schedules.map((schedule) => (
        <One
          key={schedule.id}
          schedule={schedule}
          type={types.find(({ id }) => id === schedule.reportTypeId)?.name ?? schedule.reportTypeId}
        />
      ))}
    </Rows>
  );
}

function One({ schedule, type }: { schedule: ListedSchedule; type: string }) {
  const { id, status, nextRunAt, timezone, lastRunStatus, lastRunAt } = schedule;
  const name = schedule.name ?? type;
  return (
    <Row
      faint={status === "paused"}
      deeds={<PauseOrResume id={id} name={name} status={status} size="compact-sm" />}
    >
      <Stack gap={2}>
        <Anchor component={Link} to={`/reports/${id}`} fw={600} size="sm" c="var(--mantine-color-text)">
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {schedule.name !== null && `${type}, `}
          {cadenceInWords(schedule)}
        </Text>
      </Stack>
      <Group gap="xs" align="flex-start">
        <ScheduleStatusBadge status={status} />
        {nextRunAt !== null && <Times at={nextRunAt} zone={timezone} />}
      </Group>
      <Stack gap={2} align="flex-start">
        {lastRunStatus === null ? (
          <Text size="xs" c="dimmed">
            has not run yet
          </Text>
        ) : (
          <>
            <RunStatusBadge status={lastRunStatus} />
            {lastRunAt !== null && (
              <Text size="xs" c="dimmed">
                <When at={lastRunAt} />
              </Text>
            )}
          </>
        )}
      </Stack>
    </Row>
  );
}
