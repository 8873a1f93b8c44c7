import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { EventForm } from "@/features/events/components/EventForm";
import { MovingNote } from "@/features/events/components/MovingNote";
import { draftOf, faultsOf, isChanged, writtenIn } from "@/features/events/logic/draft";
import { refusedIn, wordsOf } from "@/kit/refused";
import { useSaveEvent } from "@/features/events/operations/save-event";
import type { TidingsEvent } from "@/features/events/schemas";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { isStatus } from "@/kit/problem";
import { tellFailed } from "@/kit/tell";

interface Props {
  event: TidingsEvent;
  onRefetch: () => Promise<TidingsEvent>;
}

const FORM = "event";

/** Another's change is taken over at once where nothing was written here, and never over what was. */
export function EventEditor({ event, onRefetch }: Props) {
  const navigate = useNavigate();
  const save = useSaveEvent();
  const [base, setBase] = useState(() => ({ event, before: draftOf(event) }));
  const [draft, setDraft] = useState(base.before);
  const [tried, setTried] = useState(false);
  const [now] = useState(Date.now);
  const unsaved = isChanged(base.before, draft);
  const adopt = (newest: TidingsEvent) => {
    const before = draftOf(newest);
    setBase({ event: newest, before });
    setDraft(before);
    save.reset();
  };
  /** What was changed here, on top of what somebody else saved meanwhile. */
  const rebase = (newest: TidingsEvent) => {
    const before = draftOf(newest);
    setDraft({ ...before, ...writtenIn(base.before, draft) });
    setBase({ event: newest, before });
    save.reset();
  };
  if (event.version > base.event.version && !unsaved) adopt(event);
  const faults = faultsOf(draft, now, base.before);
  const back = (id: number) =>
    void navigate({ to: "/events/$id", params: { id: String(id) }, ignoreBlocker: true });
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    save.mutate({ base: { is: "saved", ...base }, draft }, { onSuccess: ({ id }) => back(id) });
  };
  const meanwhile = (then: (newest: TidingsEvent) => void) => () =>
    void onRefetch().then(then).catch(tellFailed);
  const words = wordsOf(save.error);
  const open = event.status === "active";
  return (
    <>
      <PageHead title={`Change ${base.event.name}`}>
        <Button variant="default" onClick={() => void navigate({ to: `/events/${event.id}` })}>
          Back
        </Button>
        <Button type="submit" form={FORM} loading={save.isPending} disabled={!unsaved || !open}>
          Save
        </Button>
      </PageHead>
      <LeaveGuard unsaved={unsaved && !save.isPending && !save.isSuccess} />
      <Stack maw={860}>
        {!open && (
          <Alert color="orange" title="It cannot be changed any more" role="note">
            The event is {event.status === "cancelled" ? "cancelled" : "over"}.
          </Alert>
        )}
        {isStatus(save.error, 412) && <Meanwhile onTake={meanwhile(adopt)} onKeep={meanwhile(rebase)} />}
        {words !== null && (
          <Alert color="red" role="alert">
            {words}
          </Alert>
        )}
        <form
          id={FORM}
          noValidate
          onSubmit={(submitted) => {
            submitted.preventDefault();
            submit();
          }}
        >
          <Stack>
            <EventForm
              draft={draft}
              faults={faults}
              refused={refusedIn(save.error)}
              showAll={tried}
              isNew={false}
              onChange={(part) => {
                if (!isStatus(save.error, 412)) save.reset();
                setDraft((was) => ({ ...was, ...part }));
              }}
            />
            <MovingNote before={base.before} draft={draft} subscribers={event.subscribers} />
          </Stack>
        </form>
      </Stack>
    </>
  );
}

/** Somebody else was faster: nothing of either is lost before one has chosen. */
function Meanwhile({ onTake, onKeep }: { onTake: () => void; onKeep: () => void }) {
  return (
    <Alert color="orange" title="Somebody changed this event meanwhile" role="alert">
      <Stack gap="sm">
        <Text size="sm">
          Nothing was saved. You can go on from theirs and drop what you wrote, or keep what you changed, on
          top of theirs, and look at it once more before you save.
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onTake}>
            Take theirs
          </Button>
          <Button size="xs" variant="default" onClick={onKeep}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
