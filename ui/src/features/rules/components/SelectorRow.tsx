import { ActionIcon, Autocomplete, Group, Select, Stack, TagsInput, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { PathInput } from "@/features/rules/components/PathInput";
import type { SelectorDraft } from "@/features/rules/logic/draft";
import { at, within, type Faults } from "@/features/rules/logic/faults";
import type { KnownPath } from "@/features/rules/logic/paths";
import { useGroupIds } from "@/features/rules/operations/list-names";
import { bys, type By } from "@/features/rules/schemas";
import { useFoundPeople } from "@/kit/choose/find-people";
import { PeopleSelect } from "@/kit/choose/PeopleSelect";

interface Props {
  selector: SelectorDraft;
  path: string;
  faults: Faults;
  known: readonly KnownPath[];
  onChange: (selector: SelectorDraft) => void;
  /** Not given where it is the only one. */
  onRemove: (() => void) | undefined;
}

const SAYS: Record<By, string> = {
  everyone: "Everyone",
  group: "A group",
  userType: "People of a type",
  topic: "Subscribers of a topic",
  externalId: "People by your own ids",
  email: "People by mail address",
  person: "People by name",
};
const LABEL: Record<Exclude<By, "everyone">, string> = {
  group: "Groups",
  userType: "Types",
  topic: "Topics",
  externalId: "Ids",
  email: "Addresses",
  person: "People",
};

/** Some of those who are told: who they are, written here or found in the fact. */
export function SelectorRow({ selector, path, faults, known, onChange, onRemove }: Props) {
  const change = (part: Partial<SelectorDraft>) => onChange({ ...selector, ...part });
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Stack gap={4} flex={1} miw={0}>
        <Group gap="xs" align="flex-start">
          <Select
            aria-label="Who"
            data={bys.map((by) => ({ value: by, label: SAYS[by] }))}
            value={selector.by}
            onChange={(by) => by !== null && change({ by, values: [] })}
            allowDeselect={false}
            flex="1 1 180px"
          />
          {selector.by !== "everyone" && (
            <>
              <Select
                aria-label="Named"
                data={[
                  { value: "values", label: "named here" },
                  { value: "field", label: "named in the fact" },
                ]}
                value={selector.from}
                onChange={(from) => from !== null && change({ from })}
                allowDeselect={false}
                w={165}
              />
              <Named by={selector.by} {...{ selector, path, faults, known }} onChange={change} />
            </>
          )}
          {selector.by !== "userType" && (
            <UserType
              value={selector.userType}
              error={at(faults, `${path}.userType`)}
              onChange={(userType) => change({ userType })}
            />
          )}
        </Group>
        {at(faults, path) !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)">
            {at(faults, path)}
          </Text>
        )}
      </Stack>
      {onRemove !== undefined && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Remove these people"
          onClick={onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}

type NamedProps = Omit<Props, "onChange" | "onRemove"> & {
  by: Exclude<By, "everyone">;
  onChange: (part: Partial<SelectorDraft>) => void;
};

function Named({ by, selector, path, faults, known, onChange }: NamedProps) {
  const groups = useGroupIds();
  const types = useUserTypes();
  if (selector.from === "field")
    return (
      <PathInput
        aria-label="Field of the fact"
        placeholder="customer.id"
        known={known}
        value={selector.field}
        onChange={(field) => onChange({ field })}
        error={at(faults, `${path}.field`)}
        flex="2 1 200px"
      />
    );
  const common = {
    "aria-label": LABEL[by],
    placeholder: selector.values.length === 0 ? LABEL[by] : "",
    value: selector.values,
    onChange: (values: string[]) => onChange({ values }),
    error: within(faults, `${path}.values`),
    flex: "2 1 200px",
  };
  if (by === "person") return <PeopleSelect {...common} />;
  const data = by === "group" ? (groups.data ?? []) : by === "userType" ? types : [];
  return <TagsInput {...common} data={data} acceptValueOnBlur />;
}

function UserType({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const types = useUserTypes();
  return (
    <Autocomplete
      aria-label="Only of type"
      placeholder="of any type"
      data={types}
      value={value}
      onChange={onChange}
      error={error}
      w={140}
    />
  );
}

/** The types that recent people have. */
function useUserTypes(): string[] {
  const people = useFoundPeople("").data ?? [];
  return [...new Set(people.flatMap(({ userType }) => userType ?? []))].sort();
}
