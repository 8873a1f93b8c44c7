import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useFoundPeople } from "@/kit/choose/find-people";

type Props = Omit<SelectProps, "data" | "onChange" | "searchValue" | "onSearchChange"> & {
  onChange: (id: string | null) => void;
};

/** One person, found by how their name begins. */
export function PersonSelect({ onChange, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed, 250);
  const people = useFoundPeople(asked);
  return (
    <Select
      {...rest}
      searchable
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      data={(people.data ?? []).map(({ id, name, email }) => ({
        value: id,
        label: email === null ? name : `${name} (${email})`,
      }))}
      nothingFoundMessage="Nobody's name begins like this"
      onChange={onChange}
    />
  );
}
