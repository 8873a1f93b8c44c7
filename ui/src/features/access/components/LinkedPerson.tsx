import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useLinkPerson } from "@/features/access/operations/link-person";
import type { User } from "@/features/access/schemas";
import { useFoundPeople } from "@/kit/choose/find-people";

/** Which of the people a login is: what is told to that person is in its inbox. */
export function LinkedPerson({ user, onDone }: { user: User; onDone: () => void }) {
  const link = useLinkPerson();
  if (user.person !== null) {
    const { id, name } = user.person;
    return (
      <Stack>
        <Text size="sm">
          {user.email} is <b>{name}</b>: what is told to {name} is in the inbox of this login. To make it
          somebody else's, unlink it first.
        </Text>
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={link.isPending}
            onClick={() => link.mutate({ do: "unlink", personId: id })}
          >
            Unlink
          </Button>
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return <Choosing user={user} link={link} onDone={onDone} />;
}

interface ChoosingProps {
  user: User;
  link: ReturnType<typeof useLinkPerson>;
  onDone: () => void;
}

function Choosing({ user, link, onDone }: ChoosingProps) {
  const [personId, setPersonId] = useState<string | null>(null);
  const done = { onSuccess: onDone };
  return (
    <Stack>
      <Text size="sm">
        {user.email} is nobody yet: they can sign in, and nothing is ever told to them. Choose which of the
        people they are.
      </Text>
      <FreePerson value={personId} onChange={setPersonId} />
      <Group justify="space-between">
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={link.isPending}
          onClick={() => link.mutate({ do: "make", user }, done)}
        >
          Make a person of them
        </Button>
        <Button
          disabled={personId === null}
          loading={link.isPending}
          onClick={() => personId !== null && link.mutate({ do: "link", personId, user }, done)}
        >
          Link
        </Button>
      </Group>
    </Stack>
  );
}

/** A person who has no login yet: one has at most one. */
function FreePerson({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed, 250);
  const people = useFoundPeople(asked.replace(/ \(.*\)$/, "")).data ?? [];
  return (
    <Select
      label="Person"
      placeholder="Name, e-mail or external id"
      searchable
      data-autofocus
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage="Nobody by that name, e-mail or external id"
      data={people.map(({ id, name, email, userId }) => ({
        value: id,
        label: userId === null ? (email === null ? name : `${name} (${email})`) : `${name} (has a login)`,
        disabled: userId !== null,
      }))}
    />
  );
}
