import { Button, Stack } from "@mantine/core";
import { IconPlus, IconReportAnalytics } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ScheduleFilters } from "@/features/reports/components/ScheduleFilters";
import { ScheduleList } from "@/features/reports/components/ScheduleList";
import { useSchedules } from "@/features/reports/operations/list-schedules";
import type { SchedulesFilter } from "@/features/reports/searches";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/reports");

/** One's own schedules; an admin can see all of the tenant's. */
export function ScheduleListPage() {
  const { owner, ...rest } = route.useSearch();
  const admin = useMay("admin");
  const filter: SchedulesFilter = admin ? { owner, ...rest } : rest;
  const navigate = useNavigate({ from: "/reports" });
  const schedules = useSchedules(filter);
  const narrow = (change: Partial<SchedulesFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  return (
    <>
      <PageHead title="Reports" about="What is made at a time of yours, and mailed to whoever it is for.">
        <NewReport />
      </PageHead>
      <Stack>
        <ScheduleFilters filter={filter} onChange={narrow} />
        <Panel>
          <Asked query={schedules}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing filter={filter} />
              ) : (
                <>
                  <ScheduleList schedules={page.data} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

function NewReport() {
  return (
    <Button component={Link} to="/reports/new" leftSection={<IconPlus size={16} />}>
      New schedule
    </Button>
  );
}

function Nothing({ filter: { status } }: { filter: SchedulesFilter }) {
  if (status !== undefined)
    return (
      <Empty icon={IconReportAnalytics} title="No such schedule">
        None is {status}. Take the filter away to see the others.
      </Empty>
    );
  return (
    <Empty icon={IconReportAnalytics} title="Nothing is reported yet" action={<NewReport />}>
      Choose a report, when it is due and who gets it. You see the next runs before you save.
    </Empty>
  );
}
