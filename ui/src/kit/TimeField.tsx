import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { warningWords } from "@/kit/theme";
import { clock, fully, showsTheSame, viewersZone } from "@/kit/time";
import { meant, moment, oddness, type Time } from "@/kit/zoned";
import { offsetOf } from "@/kit/zones";

interface Props {
  label: string;
  description?: string;
  required?: boolean;
  /** Whether a dialog begins here. */
  first?: boolean;
  zone: string;
  value: Time;
  error: string | undefined;
  onChange: (value: Time) => void;
  onBlur: () => void;
}

/** A time by the clocks of a zone. Which moment that is is said, wherever it is not plain. */
export function TimeField(props: Props) {
  const { label, description, required, first, zone, value, error, onChange, onBlur } = props;
  return (
    <Stack gap={4}>
      <TextInput
        type="datetime-local"
        label={label}
        description={description ?? `By the clocks in ${zone}`}
        required={required ?? false}
        data-autofocus={first}
        value={value.wall}
        error={error}
        onBlur={onBlur}
        onChange={(event) => onChange({ wall: event.currentTarget.value.slice(0, 16), later: false })}
      />
      <div role="status">
        <Meaning label={label} zone={zone} value={value} onChange={onChange} />
      </div>
    </Stack>
  );
}

function Meaning({ label, zone, value, onChange }: Pick<Props, "label" | "zone" | "value" | "onChange">) {
  const at = moment(value, zone);
  if (at === null) return null;
  const odd = oddness(value, zone);
  return (
    <Stack gap={4}>
      {odd === "missing" && (
        <Text size="sm" c={warningWords}>
          The clocks in {zone} leap over {value.wall.slice(11)} that night. What is meant is the first minute
          after: {clock(at, zone)} ({offsetOf(zone, at)}).
        </Text>
      )}
      {odd === "twice" && <Which label={label} zone={zone} value={value} onChange={onChange} />}
      {!showsTheSame(at, zone) && (
        <Text size="xs" c="dimmed">
          For you: {fully(at)} ({viewersZone()})
        </Text>
      )}
    </Stack>
  );
}

/** The clocks show it twice that night: one has to say which. */
function Which({ label, zone, value, onChange }: Pick<Props, "label" | "zone" | "value" | "onChange">) {
  const found = value.wall === "" ? null : meant(value.wall, zone);
  if (found?.is !== "twice") return null;
  const words = (at: Date) => `${clock(at, zone)}, ${offsetOf(zone, at)} (${clock(at, "UTC")} UTC)`;
  return (
    <Radio.Group
      size="sm"
      label={`${label}: the first or the second ${value.wall.slice(11)}?`}
      description={`The clocks in ${zone} are put back that night, and show it twice.`}
      value={value.later ? "second" : "first"}
      onChange={(which) => onChange({ ...value, later: which === "second" })}
    >
      <Stack gap={4} mt={4}>
        <Radio value="first" label={`The first: ${words(found.first)}`} />
        <Radio value="second" label={`The second: ${words(found.second)}`} />
      </Stack>
    </Radio.Group>
  );
}
