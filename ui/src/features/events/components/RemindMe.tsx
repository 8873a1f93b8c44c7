import { Button, Group, Menu, Modal, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBellPlus, IconChevronDown } from "@tabler/icons-react";
import { useState, type SyntheticEvent } from "react";
import { DAY, faultIn, HOUR, MINUTE, secondsOf, units, type Unit } from "@/features/events/logic/offsets";
import { useRemindMe, type Wish } from "@/features/events/operations/remind-me";

const SOON: readonly (readonly [string, number])[] = [
  ["In 10 minutes", 10 * MINUTE],
  ["In 1 hour", HOUR],
  ["In 3 hours", 3 * HOUR],
  ["Tomorrow, at this time", DAY],
];
const MORNING = 9;

/** A reminder at a time of its own, which stays where it is when the event moves. */
export function RemindMe({ eventId }: { eventId: number }) {
  const remind = useRemindMe(eventId);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            loading={remind.isPending}
            leftSection={<IconBellPlus size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            Remind me
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {SOON.map(([says, afterSeconds]) => (
            <Menu.Item key={says} onClick={() => remind.mutate({ afterSeconds })}>
              {says}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => remind.mutate({ at: tomorrowMorning() })}>
            Tomorrow morning, 9:00
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={open}>In another while…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={close} title="Remind me in …" centered size="sm">
        <Custom
          busy={remind.isPending}
          onChosen={(wish) => remind.mutate(wish, { onSuccess: close })}
          onClose={close}
        />
      </Modal>
    </>
  );
}

/** By the viewer's own clock. */
function tomorrowMorning(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  day.setHours(MORNING, 0, 0, 0);
  return day.toISOString();
}

interface CustomProps {
  busy: boolean;
  onChosen: (wish: Wish) => void;
  onClose: () => void;
}

function Custom({ busy, onChosen, onClose }: CustomProps) {
  const [amount, setAmount] = useState<number | string>("");
  const [unit, setUnit] = useState<Unit>("hours");
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = typeof amount === "number" ? amount : null;
    const wrong = faultIn(wanted, unit, []);
    setFault(wrong);
    if (wrong === null && wanted !== null) onChosen({ afterSeconds: secondsOf(wanted, unit) });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          It stays at its time when the event moves.
        </Text>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <NumberInput
            aria-label="How long"
            placeholder="2"
            min={1}
            data-autofocus
            flex={1}
            value={amount}
            error={fault}
            onChange={(next) => {
              setAmount(next);
              setFault(null);
            }}
          />
          <Select
            aria-label="Unit"
            w={120}
            data={units}
            allowDeselect={false}
            value={unit}
            onChange={(next) => next !== null && setUnit(next)}
          />
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Remind me
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
