import { Select, type MantineStyleProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useFoundPeople, usePerson } from "@/features/activity/operations/find-people";
import type { Person } from "@/features/activity/schemas";

interface Props {
  /** An id; of what was typed elsewhere also an external id or an e-mail address. */
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  label?: string;
  required?: boolean;
  w?: MantineStyleProps["w"];
}

/** Finds somebody by name, e-mail address or external id. */
export function PersonSelect({ value, onChange, label = "Person", required = false, w = 240 }: Props) {
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState(false);
  const [text] = useDebouncedValue(search.trim(), 250);
  const chosen = usePerson(value);
  const picked = chosen.data?.name === text;
  const found = useFoundPeople(picked ? "" : text, opened);
  const people = [...(chosen.data ? [chosen.data] : []), ...(found.data ?? [])];
  const known = people.some((person) => person.id === value);
  return (
    <Select
      label={label}
      placeholder="Name, e-mail or external id"
      searchable
      clearable={!required}
      required={required}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      data={options(people, known ? undefined : value)}
      filter={({ options: all }) => all}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={found.isFetching ? "Looking" : "Nobody by that name, e-mail or external id"}
      w={w}
    />
  );
}

function options(people: readonly Person[], typed: string | undefined) {
  const known = new Map(people.map((person) => [person.id, named(person)]));
  if (typed !== undefined) known.set(typed, typed);
  return [...known].map(([value, label]) => ({ value, label }));
}

function named({ name, email, externalId }: Person): string {
  const more = email ?? externalId;
  return more === null ? name : `${name} · ${more}`;
}
