import { ActionIcon, Group, Select, TagsInput, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { PathInput } from "@/features/rules/components/PathInput";
import { operators, type Operator, type TermDraft } from "@/features/rules/logic/condition-draft";
import { at, within, type Faults } from "@/features/rules/logic/faults";
import type { KnownPath } from "@/features/rules/logic/paths";
import { kindOf, valueOf, written } from "@/features/rules/logic/values";

interface Props {
  term: TermDraft;
  path: string;
  faults: Faults;
  known: readonly KnownPath[];
  onChange: (term: TermDraft) => void;
  onRemove: () => void;
}

const SAYS: Record<Operator, string> = {
  equals: "is",
  notEquals: "is not",
  in: "is one of",
  greater: "is more than",
  less: "is less than",
  exists: "is there",
  missing: "is missing",
};

/** One condition: which field, how it compares, with what. */
export function TermRow({ term, path, faults, known, onChange, onRemove }: Props) {
  const change = (part: Partial<TermDraft>) => onChange({ ...term, ...part });
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Group gap="xs" align="flex-start" flex={1} miw={0}>
        <PathInput
          aria-label="Field"
          known={known}
          value={term.field}
          onChange={(field) => change({ field })}
          error={at(faults, `${path}.field`) ?? at(faults, path)}
          flex="1 1 120px"
        />
        <Select
          aria-label="Compares"
          data={operators.map((operator) => ({ value: operator, label: SAYS[operator] }))}
          value={term.operator}
          onChange={(operator) => operator !== null && change({ operator })}
          allowDeselect={false}
          w={142}
        />
        <TermValue term={term} path={path} faults={faults} known={known} onChange={change} />
      </Group>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Remove this condition"
        onClick={onRemove}
      >
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}

function TermValue({
  term,
  path,
  faults,
  known,
  onChange,
}: Omit<Props, "onRemove" | "onChange"> & { onChange: (part: Partial<TermDraft>) => void }) {
  const sample = known.find((each) => each.path === term.field)?.sample;
  const placeholder = sample === undefined ? "100" : written(sample);
  const error = within(faults, `${path}.${term.operator}`);
  switch (term.operator) {
    case "exists":
    case "missing":
      return null;
    case "in":
      return (
        <TagsInput
          aria-label="Values"
          placeholder={term.values.length === 0 ? placeholder : ""}
          value={term.values}
          onChange={(values) => onChange({ values })}
          acceptValueOnBlur
          error={error}
          flex="1 1 120px"
        />
      );
    default:
      return (
        <TextInput
          aria-label="Value"
          placeholder={placeholder}
          value={term.value}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
          error={error ?? mismatch(term, sample)}
          rightSection={
            term.value === "" ? null : (
              <Text size="xs" c="dimmed">
                {kindOf(valueOf(term.value))}
              </Text>
            )
          }
          rightSectionWidth="auto"
          rightSectionProps={{ style: { paddingInline: 8 } }}
          flex="1 1 120px"
        />
      );
  }
}

/** A text never equals a number: said while it is written, not found out when nobody is told. */
function mismatch(term: TermDraft, sample: KnownPath["sample"] | undefined): string | undefined {
  const meant = valueOf(term.value);
  if (term.value === "" || sample === undefined || sample === null || meant === null) return undefined;
  const [is, was] = [kindOf(meant), kindOf(sample)];
  return is === was ? undefined : `Recent facts have a ${was} here, and this is a ${is}.`;
}
