import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useFoundPeople } from "@/kit/choose/find-people";
import { usePeopleNames } from "@/kit/choose/get-people-names";

type Props = Omit<SelectProps, "data" | "value" | "onChange" | "searchValue" | "onSearchChange"> & {
  value: string | null;
  onChange: (id: string | null) => void;
};

/** One person, found by how their name begins. */
export function PersonSelect({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed, 250);
  const people = useFoundPeople(asked).data ?? [];
  const chosen = usePeopleNames(value === null ? [] : [value]);
  const options = new Map(Object.entries(chosen));
  for (const { id, name, email } of people) options.set(id, email === null ? name : `${name} (${email})`);
  return (
    <Select
      {...rest}
      searchable
      filter={({ options: all }) => all}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      nothingFoundMessage="Nobody's name begins like this"
      onChange={onChange}
    />
  );
}
