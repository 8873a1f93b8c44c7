import { Accordion, Alert, Anchor, Button, Group, Stack, Table, Text, ThemeIcon } from "@mantine/core";
import { IconCheck, IconExclamationMark, IconMinus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AsItLooks } from "@/features/rules/components/AsItLooks";
import classes from "@/features/rules/components/TriedFact.module.css";
import type { RuleParts, Tried } from "@/features/rules/schemas";
import { channelWords } from "@/kit/channels";
import { When } from "@/kit/When";

/** One fact of the past: what would have been said of it, and to whom; or why not. */
export function TriedFact({ fact, rule }: { fact: Tried; rule: RuleParts }) {
  return (
    <Accordion.Item value={fact.factId}>
      <Accordion.Control icon={<Verdict fact={fact} />} classNames={{ label: classes.control ?? "" }}>
        <Group justify="space-between" gap="xs" wrap="nowrap" pr="xs">
          <Text size="sm" lineClamp={2} fw={fact.matched ? 560 : 400}>
            {fact.title ?? fact.fault ?? fact.reason}
          </Text>
          <Text size="xs" c="dimmed" flex="none">
            <When at={fact.occurredAt} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {fact.reason !== null && <Text size="sm">Nobody would have been told: {fact.reason}.</Text>}
          {fact.fault !== null && (
            <Alert color="red" title="It could not have been said">
              {fact.fault}
            </Alert>
          )}
          {fact.title !== null && (
            <Text size="sm" className={classes.body ?? ""}>
              {fact.body}
            </Text>
          )}
          {fact.audience !== null && <People fact={fact} rule={rule} audience={fact.audience} />}
          <Anchor component={Link} to={`/activity/${fact.factId}`} size="xs">
            What really came of this fact
          </Anchor>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Verdict({ fact }: { fact: Tried }) {
  const [Sign, colour, says] =
    fact.fault !== null
      ? ([IconExclamationMark, "red", "Could not be said"] as const)
      : fact.matched
        ? ([IconCheck, "teal", "Told"] as const)
        : ([IconMinus, "gray", "Not told"] as const);
  return (
    <ThemeIcon variant="light" color={colour} size="sm" radius="xl" role="img" aria-label={says}>
      <Sign size={13} />
    </ThemeIcon>
  );
}

interface PeopleProps {
  fact: Tried;
  rule: RuleParts;
  audience: NonNullable<Tried["audience"]>;
}

function People({ fact, rule, audience }: PeopleProps) {
  const [person, setPerson] = useState<{ id: string; name: string }>();
  if (audience.count === 0)
    return <Text size="sm">It matches, but nobody is in its audience. Look at who is told.</Text>;
  const others = audience.count - audience.people.length;
  return (
    <Stack gap={4}>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table verticalSpacing={4} horizontalSpacing="xs" className={classes.people ?? ""}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Who</Table.Th>
              {rule.channels.map((channel) => (
                <Table.Th key={channel}>{channelWords[channel]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {audience.people.map((each) => (
              <Table.Tr key={each.id}>
                <Table.Td>{each.name}</Table.Td>
                {rule.channels.map((channel) => (
                  <Table.Td key={channel}>
                    {each.channels[channel] === true ? (
                      "yes"
                    ) : (
                      <Text span size="xs" c="dimmed">
                        no address
                      </Text>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {others > 0 && (
        <Text size="xs" c="dimmed">
          and {audience.more ? "more than " : ""}
          {others} others
        </Text>
      )}
      <Group gap="xs" mt={4}>
        <Button size="compact-xs" variant="light" onClick={() => setPerson(audience.people[0])}>
          As it would look
        </Button>
      </Group>
      <AsItLooks
        fact={fact}
        rule={rule}
        people={audience.people}
        person={person}
        onPerson={setPerson}
        onClose={() => setPerson(undefined)}
      />
    </Stack>
  );
}
