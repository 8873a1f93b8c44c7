import { Button, Stack } from "@mantine/core";
import { IconEdit, IconPlayerPlay } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import classes from "@/features/reports/components/columns.module.css";
import { DeleteSchedule } from "@/features/reports/components/DeleteSchedule";
import { DeliveryHistory } from "@/features/reports/components/DeliveryHistory";
import { PauseOrResume } from "@/features/reports/components/PauseOrResume";
import { ScheduleDetails } from "@/features/reports/components/ScheduleDetails";
import { cadenceInWords } from "@/features/reports/logic/words";
import { useSchedule } from "@/features/reports/operations/get-schedule";
import { useReportTypes } from "@/features/reports/operations/list-report-types";
import { useStartRun } from "@/features/reports/operations/start-run";
import type { Schedule } from "@/features/reports/schemas";
import { PageHead } from "@/kit/PageHead";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/reports/$id");

export function ScheduleDetailPage() {
  const { id } = route.useParams();
  const schedule = useSchedule(Number(id));
  if (schedule.data !== undefined) return <Shown schedule={schedule.data} />;
  return (
    <>
      <PageHead title="Schedule" />
      <Asked query={schedule}>{() => null}</Asked>
    </>
  );
}

/** One schedule: what it is, and what became of its runs. */
function Shown({ schedule }: { schedule: Schedule }) {
  const { id, status, reportTypeId } = schedule;
  const { run, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/reports/$id" });
  const start = useStartRun(id);
  const type = useReportTypes().data?.find((each) => each.id === reportTypeId);
  const name = schedule.name ?? type?.name ?? reportTypeId;
  return (
    <>
      <PageHead title={name} about={cadenceInWords(schedule)}>
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          Run now
        </Button>
        <PauseOrResume id={id} name={name} status={status} />
        <Button
          component={Link}
          to={`/reports/${id}/edit`}
          variant="default"
          leftSection={<IconEdit size={16} />}
        >
          Change
        </Button>
        <DeleteSchedule id={id} name={name} />
      </PageHead>
      <div className={classes.columns}>
        <DeliveryHistory
          scheduleId={id}
          filter={filter}
          open={run}
          onFilter={(change) =>
            void navigate({
              search: (now) => ({ ...now, cursor: undefined, run: undefined, ...change }),
              resetScroll: false,
            })
          }
          onOpen={(opened) =>
            void navigate({ search: (now) => ({ ...now, run: opened }), resetScroll: false })
          }
        />
        <Stack>
          <ScheduleDetails schedule={schedule} type={type} />
        </Stack>
      </div>
    </>
  );
}
