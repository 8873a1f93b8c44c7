import { Anchor, Avatar, Button, Code, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconArrowLeft, IconHelpCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Addresses } from "@/features/people/components/Addresses";
import { DeletePerson } from "@/features/people/components/DeletePerson";
import { GroupsOfPerson } from "@/features/people/components/GroupsOfPerson";
import { PeopleHead } from "@/features/people/components/PeopleHead";
import { Preferences } from "@/features/people/components/Preferences";
import { Topics } from "@/features/people/components/Topics";
import { WhoForm } from "@/features/people/components/WhoForm";
import { useChangePerson } from "@/features/people/operations/change-person";
import { usePerson } from "@/features/people/operations/get-person";
import type { Person } from "@/features/people/schemas";
import { Panel } from "@/kit/Panel";
import { PersonalForm } from "@/kit/preferences/PersonalForm";
import { Section } from "@/kit/Section";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { tellFailed } from "@/kit/tell";
import { When } from "@/kit/When";

/** One person: who they are, where they can be reached, what they belong to, and what they want to hear. */
export function PersonView({ id }: { id: string }) {
  const person = usePerson(id);
  if (person.error !== null && person.data === undefined)
    return (
      <>
        <PeopleHead tab="/settings/people" />
        <Panel p="md">
          <Failed error={person.error} onRetry={() => void person.refetch()} />
        </Panel>
      </>
    );
  return (
    <Stack>
      <Anchor
        component={Link}
        to="/settings/people"
        search={((now: object) => ({ ...now, person: undefined })) as never}
        size="sm"
      >
        <Group gap={4}>
          <IconArrowLeft size={16} aria-hidden /> All people
        </Group>
      </Anchor>
      {person.data === undefined ? (
        <Loading rows={4} height={120} />
      ) : (
        <Whole key={id} person={person.data} />
      )}
    </Stack>
  );
}

function Whole({ person }: { person: Person }) {
  return (
    <>
      <Head person={person} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack>
          <Section title="Where they can be reached">
            <Addresses person={person} />
          </Section>
          <Section title="Groups">
            <GroupsOfPerson person={person} />
          </Section>
          <Section title="Topics">
            <Topics personId={person.id} />
          </Section>
        </Stack>
        <Stack>
          <Section title="Who they are">
            <WhoForm person={person} />
          </Section>
          <Section title="Language and hours">
            <Personal person={person} />
          </Section>
        </Stack>
      </SimpleGrid>
      <Section title="What they want to hear" about="Where nothing is said, everything is wanted.">
        <Preferences person={person} />
      </Section>
    </>
  );
}

function Head({ person }: { person: Person }) {
  useDocumentTitle(`${person.name} · Tidings`);
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Avatar name={person.name} color="tide" size={44} aria-hidden />
        <div>
          <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
            {person.name}
          </Title>
          <Group gap={6}>
            {person.externalId !== null && <Code>{person.externalId}</Code>}
            <Text size="sm" c="dimmed">
              {person.userType !== null && `${person.userType}, `}known since <When at={person.createdAt} />
            </Text>
          </Group>
        </div>
      </Group>
      <Group gap="xs">
        <Button
          component={Link}
          to={`/activity/why?person=${person.id}`}
          variant="default"
          px="sm"
          leftSection={<IconHelpCircle size={16} />}
        >
          What reaches them, and why
        </Button>
        <DeletePerson person={person} />
      </Group>
    </Group>
  );
}

function Personal({ person }: { person: Person }) {
  const change = useChangePerson(person.id);
  const { locale, timezone, quietHours } = person;
  return (
    <PersonalForm
      value={{ locale, timezone, quietHours }}
      saving={change.isPending}
      onSave={(value) =>
        change.mutateAsync(value).catch((error: unknown) => {
          tellFailed(error);
          throw error;
        })
      }
    />
  );
}
