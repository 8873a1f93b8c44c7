import { SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { TimeField } from "@/kit/TimeField";
import type { Draft, Faults } from "@/features/events/logic/draft";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { Section } from "@/kit/Section";
import { TimezoneSelect } from "@/kit/TimezoneSelect";
import { useMay, useSession } from "@/session/session";

interface Props {
  draft: Draft;
  /** What is wrong with it now. It is shown where somebody has been, or has tried to save. */
  faults: Faults;
  /** What the server found. */
  refused: Faults;
  showAll: boolean;
  isNew: boolean;
  onChange: (part: Partial<Draft>) => void;
}

/** What an event is, and when, by the clocks of its own zone. */
export function EventForm({ draft, faults, refused, showAll, isNew, onChange }: Props) {
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  /** What is left empty is asked for on saving: words that appear under the pointer would take its click away. */
  const visit = (field: string, value: string) => () => {
    if (value !== "") setVisited((now) => new Set(now).add(field));
  };
  const at = (field: string) => (showAll || visited.has(field) ? faults[field] : undefined) ?? refused[field];
  return (
    <Stack>
      <Section title="What it is">
        <TextInput
          label="Name"
          required
          data-autofocus
          value={draft.name}
          error={at("name")}
          onBlur={visit("name", draft.name)}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Location"
          placeholder="Where it is, or how one gets in"
          value={draft.location}
          error={at("location")}
          onBlur={visit("location", draft.location)}
          onChange={(event) => onChange({ location: event.currentTarget.value })}
        />
        <Textarea
          label="Description"
          autosize
          minRows={3}
          maxRows={12}
          value={draft.description}
          error={at("description")}
          onBlur={visit("description", draft.description)}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
        <Organiser draft={draft} isNew={isNew} error={at("organiserId")} onChange={onChange} />
      </Section>
      <Section title="When it is" about="Times are by the clocks of the event's own timezone.">
        <TimezoneSelect
          label="Timezone"
          required
          allowDeselect={false}
          maw={360}
          value={draft.timezone}
          error={at("timezone")}
          onChange={(timezone) => timezone !== null && onChange({ timezone })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TimeField
            label="Start"
            required
            zone={draft.timezone}
            value={draft.start}
            error={at("startsAt")}
            onBlur={visit("startsAt", draft.start.wall)}
            onChange={(start) => onChange({ start })}
          />
          <TimeField
            label="End"
            description="Without one, it is over 24 hours after its start"
            zone={draft.timezone}
            value={draft.end}
            error={draft.end.wall === "" ? refused.endsAt : (faults.endsAt ?? refused.endsAt)}
            onBlur={visit("endsAt", draft.end.wall)}
            onChange={(end) => onChange({ end })}
          />
        </SimpleGrid>
      </Section>
    </Stack>
  );
}

type OrganiserProps = Pick<Props, "draft" | "isNew" | "onChange"> & { error: string | undefined };

/** Who organises it: oneself, unless an admin names somebody else. */
function Organiser({ draft, isNew, error, onChange }: OrganiserProps) {
  const admin = useMay("admin");
  const { personId } = useSession();
  if (!admin) return null;
  const optional = isNew && personId !== null;
  return (
    <PersonSelect
      label="Organiser"
      description={
        isNew && personId === null
          ? "Your login is nobody's yet: name who organises it"
          : `${optional ? "You, where nobody is named. " : ""}They may change and cancel it`
      }
      required={!optional}
      clearable={optional}
      maw={360}
      value={draft.organiserId}
      error={error}
      onChange={(organiserId) => onChange({ organiserId })}
    />
  );
}
