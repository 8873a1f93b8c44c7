import { Button, type ButtonProps } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { usePauseSchedule } from "@/features/reports/operations/pause-schedule";
import { useResumeSchedule } from "@/features/reports/operations/resume-schedule";
import type { ScheduleStatus } from "@/features/reports/searches";
import { Confirm } from "@/kit/Confirm";

interface Props {
  id: number;
  name: string;
  status: ScheduleStatus;
  size?: ButtonProps["size"];
}

/** Asks before it pauses: those who wait for the report do not hear of it. */
export function PauseOrResume({ id, name, status, size = "sm" }: Props) {
  const pause = usePauseSchedule(id);
  const resume = useResumeSchedule(id);
  const [asking, setAsking] = useState(false);
  return (
    <>
      {status === "paused" ? (
        <Button
          variant="default"
          size={size}
          leftSection={<IconPlayerPlay size={16} />}
          aria-label={`Resume ${name}`}
          loading={resume.isPending}
          onClick={() => resume.mutate()}
        >
          Resume
        </Button>
      ) : (
        <Button
          variant="default"
          size={size}
          leftSection={<IconPlayerPause size={16} />}
          aria-label={`Pause ${name}…`}
          onClick={() => setAsking(true)}
        >
          Pause…
        </Button>
      )}
      <Confirm
        opened={asking}
        title={`Pause ${name}?`}
        deed="Pause it"
        back="Let it run"
        danger={false}
        busy={pause.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => pause.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        Nothing of it runs until it is resumed, and its recipients are not told. What falls due meanwhile is
        not made up for.
      </Confirm>
    </>
  );
}
