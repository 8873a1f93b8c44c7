import { Button, Group, Popover, Stack } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { viewersZone } from "@/kit/time";
import "@mantine/dates/styles.css";

interface Props {
  runAt: string;
  onChosen: (runAt: string) => void;
}

export function Reschedule({ runAt, onChosen }: Props) {
  const [opened, { toggle, close }] = useDisclosure();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Popover opened={opened} onChange={close} trapFocus withArrow>
      <Popover.Target>
        <Button size="xs" variant="default" onClick={toggle}>
          Reschedule…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <DateTimePicker
            label="When it is to run"
            description={`Your time, ${viewersZone()}`}
            placeholder={new Date(runAt).toLocaleString()}
            value={chosen}
            onChange={setChosen}
            popoverProps={{ withinPortal: false }}
            w={260}
          />
          <Group justify="flex-end">
            <Button
              size="xs"
              disabled={chosen === null}
              onClick={() => {
                if (chosen !== null) onChosen(new Date(chosen.replace(" ", "T")).toISOString());
                close();
              }}
            >
              Reschedule
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
