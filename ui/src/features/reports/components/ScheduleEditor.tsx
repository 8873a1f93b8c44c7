import { Alert, Button } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import classes from "@/features/reports/components/columns.module.css";
import { NextRuns } from "@/features/reports/components/NextRuns";
import { ScheduleForm } from "@/features/reports/components/ScheduleForm";
import {
  faultsOf,
  gathered,
  isUnsaved,
  previewOf,
  type Draft,
  type Faults,
} from "@/features/reports/logic/draft";
import type { ReportType, Schedule } from "@/features/reports/schemas";
import { useFirstFault } from "@/kit/first-fault";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { refusedIn, wordsOf } from "@/kit/refused";

interface Props {
  title: string;
  deed: string;
  back: string;
  start: Draft;
  types: readonly ReportType[];
  /** The one that is changed. */
  schedule?: Schedule;
  save: UseMutationResult<Schedule, Error, Draft>;
}

const FORM = "schedule";

/** A schedule while it is written, beside the runs that would come of it. */
export function ScheduleEditor({ title, deed, back, start, types, schedule, save }: Props) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(start);
  const [tries, setTries] = useState(0);
  const faults = faultsOf(draft, schedule !== undefined && schedule.name !== null);
  const form = useFirstFault(tries, save.error);
  const refused = gathered(refusedIn(save.error), draft);
  const shown: Faults = { ...refused, ...(tries > 0 ? faults : {}) };
  const words = wordsOf(save.error);
  const submit = () => {
    setTries(tries + 1);
    if (Object.keys(faults).length > 0) return;
    save.mutate(draft, {
      onSuccess: ({ id }) =>
        void navigate({ to: "/reports/$id", params: { id: String(id) }, ignoreBlocker: true }),
    });
  };
  return (
    <>
      <PageHead title={title}>
        <Button component={Link} to={back} variant="default">
          Back
        </Button>
        <Button type="submit" form={FORM} loading={save.isPending}>
          {deed}
        </Button>
      </PageHead>
      <LeaveGuard unsaved={isUnsaved(start, draft) && !save.isPending && !save.isSuccess} />
      {words !== null && (
        <Alert color="red" role="alert" mb="md">
          {words}
        </Alert>
      )}
      <div className={classes.columns}>
        <form
          ref={form}
          id={FORM}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <ScheduleForm
            draft={draft}
            faults={shown}
            types={types}
            onChange={(part) => {
              save.reset();
              setDraft((was) => ({ ...was, ...part }));
            }}
          />
        </form>
        <NextRuns timing={previewOf(draft, schedule)} />
      </div>
    </>
  );
}
