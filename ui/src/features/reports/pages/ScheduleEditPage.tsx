import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { ScheduleEditor } from "@/features/reports/components/ScheduleEditor";
import { draftOf } from "@/features/reports/logic/draft";
import { useSchedule } from "@/features/reports/operations/get-schedule";
import { useReportTypes } from "@/features/reports/operations/list-report-types";
import { useUpdateSchedule } from "@/features/reports/operations/update-schedule";
import type { ReportType, Schedule } from "@/features/reports/schemas";
import { PageHead } from "@/kit/PageHead";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/reports/$id/edit");

export function ScheduleEditPage() {
  const { id } = route.useParams();
  const schedule = useSchedule(Number(id));
  const types = useReportTypes();
  if (schedule.data !== undefined && types.data !== undefined)
    return <Changing key={schedule.data.id} schedule={schedule.data} types={types.data} />;
  return (
    <>
      <PageHead title="Change a schedule" />
      <Asked query={schedule}>{() => <Asked query={types}>{() => null}</Asked>}</Asked>
    </>
  );
}

function Changing({ schedule, types }: { schedule: Schedule; types: readonly ReportType[] }) {
  const update = useUpdateSchedule(schedule);
  const [start] = useState(() => draftOf(schedule));
  const name = schedule.name ?? types.find(({ id }) => id === schedule.reportTypeId)?.name;
  return (
    <ScheduleEditor
      title={`Change ${name ?? schedule.reportTypeId}`}
      deed="Save"
      back={`/reports/${schedule.id}`}
      start={start}
      types={types}
      schedule={schedule}
      save={update}
    />
  );
}
