import { Group, NumberInput, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import type { Draft, Faults } from "@/features/reports/logic/draft";
import { weekdays, weekWords } from "@/features/reports/logic/words";
import type { CadenceType } from "@/features/reports/schemas";
import { TimezoneSelect } from "@/kit/TimezoneSelect";

interface Props {
  draft: Draft;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
}

const TYPES: { value: CadenceType; label: string }[] = [
  { value: "daily", label: "Daily" },
  { value: "weekly", label: "Weekly" },
  { value: "monthly", label: "Monthly" },
  { value: "cron", label: "Cron" },
];
const FIELD = { base: "100%", xs: 180 };
const days = weekdays.map((label, day) => ({ value: String(day), label }));
const weeks = [1, 2, 3, 4, -1].map((week) => ({ value: String(week), label: weekWords[week] ?? "" }));

/** How often, and what that takes. */
export function CadenceSelector({ draft, faults, onChange }: Props) {
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl<CadenceType>
        aria-label="How often"
        data={TYPES}
        value={draft.cadenceType}
        onChange={(cadenceType) => onChange({ cadenceType })}
      />
      <Group gap="sm" align="flex-start" w="100%">
        {draft.cadenceType === "weekly" && <Weekly draft={draft} faults={faults} onChange={onChange} />}
        {draft.cadenceType === "monthly" && <Monthly draft={draft} faults={faults} onChange={onChange} />}
        {draft.cadenceType === "cron" ? (
          <TextInput
            label="Cron expression"
            description="Minute, hour, day, month, weekday"
            placeholder="0 9 * * 1-5"
            required
            w={{ base: "100%", xs: 300 }}
            ff="monospace"
            value={draft.cron}
            error={faults.cronExpression}
            onChange={(event) => onChange({ cron: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            type="time"
            label="Time"
            required
            w={FIELD}
            value={draft.time}
            error={faults.scheduleTime}
            onChange={(event) => onChange({ time: event.currentTarget.value.slice(0, 5) })}
          />
        )}
      </Group>
      <TimezoneSelect
        label="Timezone"
        description="The clocks there say when it is due"
        required
        allowDeselect={false}
        w={{ base: "100%", xs: 360 }}
        value={draft.timezone}
        error={faults.timezone}
        onChange={(timezone) => timezone !== null && onChange({ timezone })}
      />
    </Stack>
  );
}

function Weekday({ draft, faults, onChange }: Props) {
  return (
    <Select
      label="Day of the week"
      required
      allowDeselect={false}
      w={FIELD}
      data={days}
      value={String(draft.weekday)}
      error={draft.cadenceType === "weekly" ? faults.cadenceDay : faults.cadenceWeekday}
      onChange={(day) => day !== null && onChange({ weekday: Number(day) })}
    />
  );
}

function Weekly({ draft, faults, onChange }: Props) {
  return (
    <>
      <Weekday draft={draft} faults={faults} onChange={onChange} />
      <NumberInput
        label="Every … weeks"
        required
        w={FIELD}
        min={1}
        max={52}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        value={draft.intervalWeeks}
        error={faults.intervalWeeks}
        onChange={(intervalWeeks) => onChange({ intervalWeeks })}
      />
    </>
  );
}

function Monthly({ draft, faults, onChange }: Props) {
  return (
    <>
      <Select
        label="By"
        allowDeselect={false}
        w={FIELD}
        data={[
          { value: "day", label: "day of the month" },
          { value: "weekday", label: "weekday" },
        ]}
        value={draft.monthlyBy}
        onChange={(by) => by !== null && onChange({ monthlyBy: by })}
      />
      {draft.monthlyBy === "day" ? (
        <NumberInput
          label="Day of the month"
          required
          w={FIELD}
          min={1}
          max={31}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          value={draft.monthDay}
          error={faults.cadenceDay}
          onChange={(monthDay) => onChange({ monthDay })}
        />
      ) : (
        <>
          <Select
            label="Which one"
            required
            allowDeselect={false}
            w={FIELD}
            data={weeks}
            value={String(draft.week)}
            error={faults.cadenceWeek}
            onChange={(week) => week !== null && onChange({ week: Number(week) })}
          />
          <Weekday draft={draft} faults={faults} onChange={onChange} />
        </>
      )}
    </>
  );
}
