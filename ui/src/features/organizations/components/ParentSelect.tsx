import { Select } from "@mantine/core";
import { useEveryParent } from "@/features/organizations/operations/list-organizations";

interface Props {
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
}

/** Of a partner: the organisation that it belongs below, which must be active. */
export function ParentSelect({ value, error, onChange }: Props) {
  const parents = useEveryParent();
  const none = parents.data?.length === 0;
  return (
    <Select
      label="Parent"
      description={
        none ? "There is no active organisation yet: the first one is a provider" : "An active organisation"
      }
      required
      searchable
      placeholder="Choose one"
      data={(parents.data ?? []).map(({ id, name, path }) => ({ value: id, label: `${name} (${path})` }))}
      nothingFoundMessage={parents.isPending ? "Loading…" : "No active organisation of that name"}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
