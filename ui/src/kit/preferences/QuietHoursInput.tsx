import { Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { QuietHours } from "@/kit/preferences/schemas";

const NIGHT: QuietHours = { from: "22:00", until: "07:00" };

interface Props {
  value: QuietHours | null;
  onChange: (value: QuietHours | null) => void;
  /** Whose clock it is; without one there are no quiet hours. */
  timezone: string | null;
}

/** When nothing may ring. What comes then waits until they are over. */
export function QuietHoursInput({ value, onChange, timezone }: Props) {
  return (
    <Stack gap="xs">
      <Switch
        label="Quiet hours"
        description="What comes in them waits until they are over; what is critical does not."
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? NIGHT : null)}
      />
      {value !== null && (
        <Group gap="sm" align="flex-end">
          <TextInput
            label="From"
            type="time"
            value={value.from}
            onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
          />
          <TextInput
            label="Until"
            type="time"
            value={value.until}
            onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
          />
        </Group>
      )}
      {value !== null && (
        <Text size="sm" c="dimmed" role="status">
          {meant(value, timezone)}
        </Text>
      )}
    </Stack>
  );
}

function meant({ from, until }: QuietHours, timezone: string | null): string {
  if (timezone === null) return "Without a timezone there are none: nobody knows when. Choose one.";
  if (from === until) return "From a time until the same time is never.";
  const end = until < from ? `${until} the next day` : until;
  return `Every day from ${from} until ${end}, by the clocks of ${timezone}.`;
}
