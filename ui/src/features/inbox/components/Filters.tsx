import { Group, SegmentedControl, Select } from "@mantine/core";
import { levels, type InboxFilter, type Shelf } from "@/features/inbox/searches";
import { useCategories } from "@/kit/preferences/list-categories";

interface Props {
  filter: InboxFilter;
  /** Of what is shown: they can be chosen though nobody has set them up. */
  seen: readonly string[];
  onChange: (change: Partial<InboxFilter>) => void;
}

const HALF = "calc(50% - 6px)";

export function Filters({ filter, seen, onChange }: Props) {
  return (
    <Group gap="sm">
      <SegmentedControl<Shelf>
        value={filter.shelf ?? "all"}
        onChange={(shelf) => onChange({ shelf: shelf === "all" ? undefined : shelf })}
        data={[
          { value: "all", label: "All" },
          { value: "unread", label: "Unread" },
          { value: "archived", label: "Archived" },
        ]}
        aria-label="Which"
      />
      <Select
        aria-label="What is to be done"
        placeholder="To be done, or not"
        clearable
        data={[
          { value: "waiting", label: "Waits for somebody" },
          { value: "handled", label: "Handled" },
        ]}
        value={filter.matters ?? null}
        onChange={(matters) => onChange({ matters: matters ?? undefined })}
        w={{ base: "100%", xs: 190 }}
      />
      <Select
        aria-label="Level"
        placeholder="Any level"
        clearable
        data={levels}
        value={filter.level ?? null}
        onChange={(level) => onChange({ level: level ?? undefined })}
        w={{ base: HALF, xs: 140 }}
      />
      <Category filter={filter} seen={seen} onChange={onChange} />
    </Group>
  );
}

function Category({ filter: { category }, seen, onChange }: Props) {
  const known = useCategories().data ?? [];
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const ids = new Set([...names.keys(), ...seen, ...(category === undefined ? [] : [category])]);
  return (
    <Select
      aria-label="Category"
      placeholder="Any category"
      clearable
      searchable
      data={[...ids].map((id) => ({ value: id, label: names.get(id) ?? id }))}
      nothingFoundMessage="No such category"
      value={category ?? null}
      onChange={(chosen) => onChange({ category: chosen ?? undefined })}
      w={{ base: HALF, xs: 170 }}
    />
  );
}
