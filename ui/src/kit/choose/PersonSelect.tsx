import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useFoundPeople } from "@/kit/choose/find-people";
import { usePeopleNames } from "@/kit/choose/get-people-names";

type Props = Omit<SelectProps, "data" | "value" | "onChange" | "searchValue" | "onSearchChange"> & {
  value: string | null;
  /** Only people of this type. */
  userType?: string;
  onChange: (id: string | null) => void;
};

/** One person, found by name, e-mail address or external id. Who is chosen keeps the label that they were chosen by. */
export function PersonSelect({ value, userType, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const names = usePeopleNames(value === null ? [] : [value]);
  const label = value === null ? "" : chosen?.value === value ? chosen.label : (names[value] ?? value);
  const [asked] = useDebouncedValue(typed === label ? "" : typed, 250);
  const people = useFoundPeople(asked, userType).data ?? [];
  const options = new Map(people.map(({ id, name, email }) => [id, email ? `${name} (${email})` : name]));
  if (value !== null) options.set(value, label);
  return (
    <Select
      placeholder="Name, e-mail or external id"
      nothingFoundMessage="Nobody by that name, e-mail or external id"
      {...rest}
      searchable
      filter={({ options: all }) => all}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...options].map(([id, text]) => ({ value: id, label: text }))}
      onChange={(id, option) => {
        setChosen(option ?? undefined);
        onChange(id);
      }}
    />
  );
}
