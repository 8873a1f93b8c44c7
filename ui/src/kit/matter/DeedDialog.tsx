import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import type { Deed } from "@/kit/matter/act";
import { isStatus, said } from "@/kit/problem";
import { refusedIn } from "@/kit/refused";
import { TimeField } from "@/kit/TimeField";
import { viewersZone } from "@/kit/time";
import { moment, NEVER } from "@/kit/zoned";

interface Props {
  /** What is asked for; nothing is open without it. */
  asking: "POSTPONED" | "CUSTOM" | null;
  /** What it is about. */
  about: string;
  zone: string | null;
  busy: boolean;
  error: unknown;
  onClose: () => void;
  onDo: (deed: Deed) => void;
}

/** What cannot be done with one press: another time has to be said, or what was done instead. */
export function DeedDialog({ asking, about, onClose, ...rest }: Props) {
  return (
    <Modal
      opened={asking !== null}
      onClose={onClose}
      title={asking === "CUSTOM" ? "Dealt with otherwise" : "Propose another time"}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
        {asking === "POSTPONED" && <Propose {...rest} onClose={onClose} />}
        {asking === "CUSTOM" && <Other {...rest} onClose={onClose} />}
      </Stack>
    </Modal>
  );
}

type FormProps = Omit<Props, "asking" | "about">;

/** By the clocks of the place, where they are known; else by the viewer's own. */
function Propose({ zone, busy, error, onClose, onDo }: FormProps) {
  const [time, setTime] = useState(NEVER);
  const [note, setNote] = useState("");
  const [fault, setFault] = useState<string>();
  const there = zone ?? viewersZone();
  const refused = refusedIn(error);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const at = moment(time, there);
    setFault(at === null ? "Which time do you propose?" : undefined);
    if (at === null) return;
    const words = note.trim();
    onDo({ action: "POSTPONED", proposedTime: at.toISOString(), ...(words === "" ? {} : { note: words }) });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TimeField
          label="Time"
          description={zone === null ? `By your clock (${there})` : `By the clocks there, in ${there}`}
          required
          first
          zone={there}
          value={time}
          error={fault ?? refused["proposedTime"]}
          onBlur={() => undefined}
          onChange={(changed) => {
            setFault(undefined);
            setTime(changed);
          }}
        />
        <Textarea
          label="Note"
          description="For those who hold this notice, too; may be empty"
          autosize
          minRows={2}
          value={note}
          error={refused["note"]}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Refusal error={error} />
        <Buttons says="Propose it" busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

function Other({ busy, error, onClose, onDo }: FormProps) {
  const [note, setNote] = useState("");
  const [fault, setFault] = useState<string>();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const words = note.trim();
    setFault(words === "" ? "Say what was done." : undefined);
    if (words !== "") onDo({ action: "CUSTOM", note: words });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Textarea
          label="What was done"
          description="The matter is settled by it, and nothing else happens"
          required
          autosize
          minRows={3}
          data-autofocus
          value={note}
          error={fault ?? refusedIn(error)["note"]}
          onChange={(event) => {
            setFault(undefined);
            setNote(event.currentTarget.value);
          }}
        />
        <Refusal error={error} />
        <Buttons says="Settle it" busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

/** What belongs to no field. */
function Refusal({ error }: { error: unknown }) {
  if (error === null || (isStatus(error, 422) && Object.keys(refusedIn(error)).length > 0)) return null;
  return (
    <Alert color="red" role="alert">
      {said(error)}
    </Alert>
  );
}

function Buttons({ says, busy, onClose }: { says: string; busy: boolean; onClose: () => void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Back
      </Button>
      <Button type="submit" loading={busy}>
        {says}
      </Button>
    </Group>
  );
}
