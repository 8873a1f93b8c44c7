import { Button, Chip, Group, Input, NumberInput, Select, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import {
  faultIn,
  inOrder,
  offsetInWords,
  PRESETS,
  secondsOf,
  units,
  type Unit,
} from "@/features/events/logic/offsets";

interface Props {
  value: readonly number[];
  onChange: (offsets: number[]) => void;
}

/** When to be reminded: the usual ones to mark, and any other to add. None at all means no reminders. */
export function OffsetsField({ value, onChange }: Props) {
  const shown = inOrder([...PRESETS, ...value]);
  return (
    <Input.Wrapper labelElement="div" label="Remind me">
      <Stack gap="xs" mt={4}>
        <Chip.Group
          multiple
          value={value.map(String)}
          onChange={(marked) => onChange(inOrder(marked.map(Number)))}
        >
          <Group gap={6} role="group" aria-label="Remind me">
            {shown.map((offset) => (
              <Chip key={offset} value={String(offset)} size="sm" variant="outline">
                {offsetInWords(offset)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Other present={value} onAdd={(offset) => onChange(inOrder([...value, offset]))} />
        {value.length === 0 && (
          <Text size="sm" c="dimmed">
            No reminders. You still hear of changes, announcements and a cancellation.
          </Text>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function Other({ present, onAdd }: { present: readonly number[]; onAdd: (offset: number) => void }) {
  const [amount, setAmount] = useState<number | string>("");
  const [unit, setUnit] = useState<Unit>("hours");
  const [fault, setFault] = useState<string | null>(null);
  const add = () => {
    const wanted = typeof amount === "number" ? amount : null;
    const wrong = faultIn(wanted, unit, present);
    setFault(wrong);
    if (wrong !== null || wanted === null) return;
    onAdd(secondsOf(wanted, unit));
    setAmount("");
  };
  return (
    <Stack gap={4}>
      <Group gap={6} align="flex-end">
        <NumberInput
          size="xs"
          label="Another"
          placeholder="2"
          w={84}
          min={1}
          value={amount}
          error={fault !== null}
          onChange={(next) => {
            setAmount(next);
            setFault(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
        <Select
          size="xs"
          aria-label="Unit of another"
          w={104}
          data={units}
          allowDeselect={false}
          value={unit}
          onChange={(next) => next !== null && setUnit(next)}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add
        </Button>
      </Group>
      {fault !== null && (
        <Input.Error size="sm" role="alert">
          {fault}
        </Input.Error>
      )}
    </Stack>
  );
}
