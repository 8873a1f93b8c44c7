import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useGroup } from "@/features/people/operations/get-group";
import { useGroups } from "@/features/people/operations/list-groups";

type Props = Omit<SelectProps, "data" | "filter" | "searchValue" | "onSearchChange">;

/** One group, found by how its name begins. */
export function GroupSelect(props: Props) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed.trim(), 250);
  const found = useGroups({ q: asked === "" ? undefined : asked }).data?.data ?? [];
  const chosen = useGroup(props.value ?? null).data;
  const options = new Map(
    [...(chosen === undefined ? [] : [chosen]), ...found].map((one) => [one.id, one.name]),
  );
  return (
    <Select
      {...props}
      searchable
      clearable
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...options].map(([value, label]) => ({ value, label }))}
      nothingFoundMessage="No group's name begins like this"
    />
  );
}
