import { Anchor, Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { AddressBadge } from "@/features/people/components/AddressBadge";
import rows from "@/features/people/components/rows.module.css";
import type { Person } from "@/features/people/schemas";
import { localeInWords } from "@/kit/locales";

const SHOWN = 3;

/** Everybody with what they are known by and where they can be reached; each leads to the whole person. */
export function PersonList({ people }: { people: readonly Person[] }) {
  return (
    <ul className={rows.list} aria-label="People">
      {people.map((person) => (
        <Row key={person.id} person={person} />
      ))}
    </ul>
  );
}

function Row({ person }: { person: Person }) {
  return (
    <li className={`${rows.row} ${rows.person}`}>
      <Stack gap={2} miw={0}>
        <Anchor
          component={Link}
          to="/settings/people"
          search={((now: object) => ({ ...now, person: person.id })) as never}
          className={rows.cover ?? ""}
          fw={600}
          size="sm"
          c="var(--mantine-color-text)"
        >
          {person.name}
        </Anchor>
        <Group gap={6}>
          {person.externalId !== null && <Code>{person.externalId}</Code>}
          {person.userType !== null && (
            <Text size="xs" c="dimmed">
              {person.userType}
            </Text>
          )}
        </Group>
      </Stack>
      <Reached person={person} />
      <Text size="xs" c="dimmed">
        {[person.locale === null ? null : localeInWords(person.locale), person.timezone]
          .filter((known) => known !== null)
          .join(" · ") || "No language or timezone set"}
      </Text>
    </li>
  );
}

function Reached({ person }: { person: Person }) {
  const { addresses } = person;
  if (addresses.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No address yet: only the inbox reaches them
      </Text>
    );
  return (
    <Group gap={4}>
      {addresses.slice(0, SHOWN).map((address) => (
        <AddressBadge key={address.id} address={address} />
      ))}
      {addresses.length > SHOWN && (
        <Text size="xs" c="dimmed">
          and {addresses.length - SHOWN} more
        </Text>
      )}
    </Group>
  );
}
