import { Alert, Anchor, Group, List, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Answer, Explanation, Got, Matter } from "@/features/activity/why/schemas";
import { byOwnClock, CAUSES, GOT, leads } from "@/features/activity/why/words";
import { Panel } from "@/kit/Panel";
import { StatusBadge } from "@/kit/StatusBadge";
import { exactly } from "@/kit/time";

/** The answer in words: what happened step by step, what decided, and where that is changed. */
export function Explained({ explanation }: { explanation: Explanation }) {
  const { person, matters, truncated } = explanation;
  const name = person.name ?? "Somebody who was deleted";
  return (
    <Stack>
      {matters.map((matter, n) => (
        <OneMatter
          key={matter.fact?.id ?? n}
          matter={matter}
          name={name}
          person={person.id}
          brief={matters.length > 1}
        />
      ))}
      {truncated && (
        <Alert variant="default" title="There is more">
          These are the newest. Ask for a shorter time to see the others.
        </Alert>
      )}
    </Stack>
  );
}

interface MatterProps {
  matter: Matter;
  name: string;
  person: string;
  /** Among several, only what decided is told. */
  brief: boolean;
}

function OneMatter({ matter, name, person, brief }: MatterProps) {
  const { fact, answers, got } = matter;
  return (
    <Panel p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">
          {name} {GOT[got][1]}
        </Title>
        {fact !== null && (
          <Text size="sm" c="dimmed">
            <Anchor component={Link} to={`/activity/${fact.id}`} size="sm" underline="always">
              {fact.type}
            </Anchor>
            , {exactly(fact.occurredAt)}
          </Text>
        )}
      </Group>
      <Stack gap="md">
        {answers.map((answer, n) => (
          <OneAnswer key={n} answer={answer} person={person} brief={brief} />
        ))}
        {brief && fact !== null && (
          <Anchor component={Link} to={`/activity/why?person=${person}&fact=${fact.id}`} size="sm">
            Step by step
          </Anchor>
        )}
      </Stack>
    </Panel>
  );
}

function OneAnswer({ answer, person, brief }: { answer: Answer; person: string; brief: boolean }) {
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Title order={3} size="h6">
          {heading(answer)}
        </Title>
        <StatusBadge status={CAUSES[answer.cause]} means={means(answer.got)} />
      </Group>
      <Sentences of={brief ? answer.sentences.slice(-1) : answer.sentences} />
      <Group gap="md">
        {leads(answer, person).map(({ to, says }) => (
          <Anchor key={to} component={Link} to={to} size="sm">
            {says}
          </Anchor>
        ))}
      </Group>
    </Stack>
  );
}

/** What happened, in order; the last one decided. */
function Sentences({ of }: { of: readonly string[] }) {
  if (of.length === 1) return <Text size="sm">{byOwnClock(of[0] ?? "")}</Text>;
  return (
    <List size="sm" type="ordered" withPadding={false} pl="xs">
      {of.map((sentence, n) => (
        <List.Item key={n}>
          <Text size="sm" {...(n === of.length - 1 ? { fw: 600 } : { c: "dimmed" })}>
            {byOwnClock(sentence)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

function heading({ channel, rule, listener }: Answer): string {
  const by = rule ?? (listener?.startsWith("rule:") ? "A rule" : listener);
  if (by === null) return channel ?? "Nobody was told";
  return channel === null ? by : `${by}, by ${channel}`;
}

function means(got: Got) {
  return GOT[got][0];
}
