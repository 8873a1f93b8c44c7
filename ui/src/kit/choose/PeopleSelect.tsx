import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useFoundPeople } from "@/kit/choose/find-people";
import { usePeopleNames } from "@/kit/choose/get-people-names";

type Props = Omit<MultiSelectProps, "data" | "value" | "searchValue" | "onSearchChange"> & {
  value: string[];
};

/** Some people, found by how their names begin. */
export function PeopleSelect({ value, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed, 250);
  const found = useFoundPeople(asked).data ?? [];
  const names = usePeopleNames(value);
  const options = new Map(found.map(({ id, name }) => [id, name]));
  for (const [id, name] of Object.entries(names)) options.set(id, name);
  return (
    <MultiSelect
      {...rest}
      value={value}
      searchable
      hidePickedOptions
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      nothingFoundMessage="Nobody by that name, e-mail or external id"
    />
  );
}
