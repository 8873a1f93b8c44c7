import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import classes from "@/features/reservations/components/History.module.css";
import { HeardBy } from "@/features/reservations/components/HeardBy";
import { NoticeLine } from "@/features/reservations/components/NoticeLine";
import { toldOf, type Told } from "@/features/reservations/logic/history";
import { factInWords } from "@/features/reservations/logic/words";
import { useHistory } from "@/features/reservations/operations/get-history";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { exactly } from "@/kit/time";
import { By } from "@/session/By";

/** Level by level: what happened, who was to hear of it, what was said, and what became of that. */
export function History({ reservationId }: { reservationId: number }) {
  const history = useHistory(reservationId);
  return (
    <Section
      title="What happened"
      about="Each fact, who was to hear of it, what was said because of it, and how far that has gone."
    >
      <Asked query={history}>
        {(data) =>
          data.facts.length === 0 ? (
            <Empty icon={IconHistory} title="Nothing on record">
              What happened is kept in the journal, and shown here.
            </Empty>
          ) : (
            <ol className={classes.facts} aria-label="What happened">
              {toldOf(data).map((told) => (
                <Fact key={told.fact.factId} told={told} reservationId={reservationId} />
              ))}
            </ol>
          )
        }
      </Asked>
    </Section>
  );
}

function Fact({ told: { fact, heard, besides }, reservationId }: { told: Told; reservationId: number }) {
  return (
    <li className={classes.fact}>
      <Group gap="xs" align="baseline">
        <Title order={3} size="h6">
          {factInWords(fact.type)}
        </Title>
        <Text size="xs" c="dimmed" component="span">
          {exactly(fact.occurredAt)}, <By actor={fact.actor} />
        </Text>
        <Anchor
          component={Link}
          to={`/activity/${fact.factId}`}
          size="xs"
          aria-label={`Trace of ${fact.type}`}
        >
          Trace
        </Anchor>
      </Group>
      <Stack gap={0} component="ul" className={classes.heard ?? ""}>
        {heard.map((each) => (
          <HeardBy key={each.intentId} heard={each} reservationId={reservationId} />
        ))}
      </Stack>
      {besides.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </li>
  );
}
