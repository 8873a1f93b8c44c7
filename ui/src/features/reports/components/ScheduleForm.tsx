import { Select, Stack, Text, TextInput } from "@mantine/core";
import { CadenceSelector } from "@/features/reports/components/CadenceSelector";
import { RecipientInput } from "@/features/reports/components/RecipientInput";
import type { Draft, Faults } from "@/features/reports/logic/draft";
import { catchUpWords } from "@/features/reports/logic/words";
import { catchUps, type ReportType } from "@/features/reports/schemas";
import { Section } from "@/kit/Section";

interface Props {
  draft: Draft;
  faults: Faults;
  types: readonly ReportType[];
  onChange: (part: Partial<Draft>) => void;
}

/** Which report, when, and for whom. */
export function ScheduleForm({ draft, faults, types, onChange }: Props) {
  const type = types.find(({ id }) => id === draft.reportTypeId);
  return (
    <Stack>
      <Section title="Which report">
        <Select
          label="Report"
          required
          allowDeselect={false}
          data-autofocus
          placeholder="Choose one"
          data={types.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.reportTypeId}
          error={faults.reportTypeId}
          onChange={(reportTypeId) => onChange({ reportTypeId })}
        />
        {type !== undefined && (
          <Text size="sm" c="dimmed">
            {type.description}
          </Text>
        )}
        <TextInput
          label="Name"
          description="It begins the subject of each mail; the name of the report, where you leave it empty"
          value={draft.name}
          error={faults.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Section>
      <Section title="When">
        <CadenceSelector draft={draft} faults={faults} onChange={onChange} />
        <Select
          label="Runs that were missed"
          description="What becomes of them when nothing ran for a while"
          allowDeselect={false}
          maw={360}
          data={catchUps.map((value) => ({ value, label: catchUpWords[value] }))}
          value={draft.catchUp}
          error={faults.catchUp}
          onChange={(catchUp) => catchUp !== null && onChange({ catchUp })}
        />
      </Section>
      <Section title="For whom">
        <RecipientInput
          value={draft.recipients}
          error={faults.recipients}
          onChange={(recipients) => onChange({ recipients })}
        />
      </Section>
    </Stack>
  );
}
