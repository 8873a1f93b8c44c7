import { Box, Select } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { RunRow } from "@/features/reports/components/RunRow";
import { runStatusWords } from "@/features/reports/logic/words";
import { useScheduleRuns } from "@/features/reports/operations/list-runs";
import { runStatuses, type RunsFilter } from "@/features/reports/searches";
import { Pager } from "@/kit/Pager";
import { Rows } from "@/kit/Rows";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

interface Props {
  scheduleId: number;
  filter: RunsFilter;
  /** The run whose recipients are shown. */
  open: number | undefined;
  onFilter: (change: Partial<RunsFilter>) => void;
  onOpen: (run: number | undefined) => void;
}

const TO_THE_EDGE = "calc(var(--mantine-spacing-md) * -1)";

/** What became of each run; it moves while one looks. */
export function DeliveryHistory({ scheduleId, filter, open, onFilter, onOpen }: Props) {
  const runs = useScheduleRuns(scheduleId, filter);
  return (
    <Section
      title="History"
      about="What became of each run, and for whom."
      action={
        (filter.status !== undefined || runs.data?.data.length !== 0) && (
          <Select
            aria-label="State of runs"
            placeholder="Any state"
            clearable
            w={160}
            data={runStatuses.map((value) => ({ value, label: runLabels[value] }))}
            value={filter.status ?? null}
            onChange={(status) => onFilter({ status: status ?? undefined })}
          />
        )
      }
    >
      <Asked query={runs}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty
              icon={IconHistory}
              title={filter.status === undefined ? "It has not run yet" : "No such run"}
            >
              {filter.status === undefined
                ? "Wait for its time, or run it now: each run appears here as it happens."
                : "None is in this state. Take the filter away to see the others."}
            </Empty>
          ) : (
            <Box mx={TO_THE_EDGE}>
              <Rows label="Runs" columns="minmax(0, 1.2fr) minmax(0, 1fr) minmax(0, 1fr)" deeds="100px">
                {page.data.map((run) => (
                  <RunRow
                    key={run.id}
                    scheduleId={scheduleId}
                    run={run}
                    among={page.data}
                    isOpen={open === run.id}
                    onToggle={() => onOpen(open === run.id ? undefined : run.id)}
                  />
                ))}
              </Rows>
              <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => onFilter({ cursor })} />
            </Box>
          )
        }
      </Asked>
    </Section>
  );
}

const runLabels = Object.fromEntries(
  runStatuses.map((status) => [status, runStatusWords[status][0]]),
) as Record<(typeof runStatuses)[number], string>;
