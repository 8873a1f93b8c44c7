import { useState } from "react";
import { ScheduleEditor } from "@/features/reports/components/ScheduleEditor";
import { emptyDraft } from "@/features/reports/logic/draft";
import { useCreateSchedule } from "@/features/reports/operations/create-schedule";
import { useReportTypes } from "@/features/reports/operations/list-report-types";
import type { ReportType } from "@/features/reports/schemas";
import { PageHead } from "@/kit/PageHead";
import { Asked } from "@/kit/states/Asked";
import { viewersZone } from "@/kit/time";

const TITLE = "New schedule";

export function ScheduleCreatePage() {
  const types = useReportTypes();
  if (types.data !== undefined) return <Writing types={types.data} />;
  return (
    <>
      <PageHead title={TITLE} />
      <Asked query={types}>{() => null}</Asked>
    </>
  );
}

function Writing({ types }: { types: readonly ReportType[] }) {
  const create = useCreateSchedule();
  const [start] = useState(() => emptyDraft(viewersZone()));
  return (
    <ScheduleEditor title={TITLE} deed="Create" back="/reports" start={start} types={types} save={create} />
  );
}
