import { Alert, Button, Stack } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { EventForm } from "@/features/events/components/EventForm";
import { Nobody } from "@/features/events/components/Nobody";
import { emptyDraft, faultsOf, isChanged } from "@/features/events/logic/draft";
import { refusedIn, wordsOf } from "@/kit/refused";
import { useSaveEvent } from "@/features/events/operations/save-event";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { viewersZone } from "@/kit/time";
import { useMay, useSession } from "@/session/session";

const FORM = "new-event";

export function NewEventPage() {
  const { personId } = useSession();
  const admin = useMay("admin");
  if (personId === null && !admin)
    return (
      <>
        <PageHead title="New event" />
        <Nobody>An event is organised by a person, and none of them is you.</Nobody>
      </>
    );
  return <Writing needsOrganiser={personId === null} />;
}

function Writing({ needsOrganiser }: { needsOrganiser: boolean }) {
  const navigate = useNavigate();
  const save = useSaveEvent();
  const [empty] = useState(() => emptyDraft(viewersZone()));
  const [draft, setDraft] = useState(empty);
  const [tried, setTried] = useState(false);
  const [now] = useState(Date.now);
  const nameless = needsOrganiser && draft.organiserId === null;
  const faults = {
    ...faultsOf(draft, now, null),
    ...(nameless ? { organiserId: "Who organises it?" } : {}),
  };
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    save.mutate(
      { base: { is: "new" }, draft },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: "/events/$id", params: { id: String(id) }, ignoreBlocker: true }),
      },
    );
  };
  const words = wordsOf(save.error);
  return (
    <>
      <PageHead title="New event" about="It is there for everybody of this tenant as soon as you create it.">
        <Button component={Link} to="/events" variant="default">
          Back
        </Button>
        <Button type="submit" form={FORM} loading={save.isPending}>
          Create
        </Button>
      </PageHead>
      <LeaveGuard unsaved={isChanged(empty, draft) && !save.isPending && !save.isSuccess} />
      <Stack maw={860}>
        {words !== null && (
          <Alert color="red" role="alert">
            {words}
          </Alert>
        )}
        <form
          id={FORM}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <EventForm
            draft={draft}
            faults={faults}
            refused={refusedIn(save.error)}
            showAll={tried}
            isNew
            onChange={(part) => {
              save.reset();
              setDraft((was) => ({ ...was, ...part }));
            }}
          />
        </form>
      </Stack>
    </>
  );
}
