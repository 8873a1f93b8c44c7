import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import classes from "@/features/organizations/components/Timeline.module.css";
import { detailOf, factInWords } from "@/features/organizations/logic/facts";
import { useFacts } from "@/features/organizations/operations/list-facts";
import type { OrganizationFact } from "@/features/organizations/schemas";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { exactly } from "@/kit/time";
import { By } from "@/session/By";

/** All that happened to it: what it is comes of this, and of nothing else. */
export function Timeline({ organizationId }: { organizationId: string }) {
  const facts = useFacts(organizationId);
  return (
    <Section title="What happened" about="The facts of its stream, in order. What it is comes of them alone.">
      <Asked query={facts}>
        {(all) => (
          <ol className={classes.facts} aria-label="What happened">
            {all.map((fact) => (
              <One key={fact.id} fact={fact} />
            ))}
          </ol>
        )}
      </Asked>
    </Section>
  );
}

function One({ fact }: { fact: OrganizationFact }) {
  const detail = detailOf(fact);
  return (
    <li className={classes.fact}>
      <Group gap="xs" align="baseline">
        <Text size="sm" fw={600}>
          {factInWords(fact.type)}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {exactly(fact.occurredAt)}, <Who actor={fact.actor} />{" "}
          <Anchor
            component={Link}
            to={`/activity/${fact.id}`}
            size="xs"
            underline="always"
            aria-label={`Trace of ${fact.type}`}
          >
            Trace
          </Anchor>
        </Text>
      </Group>
      {detail !== null && <Text size="sm">{detail}</Text>}
    </li>
  );
}

function Who({ actor }: { actor: string | null }) {
  if (actor?.startsWith("org-bootstrap-") === true) return <>by its process</>;
  if (actor === "invitation") return <>by who was invited</>;
  return <By actor={actor} />;
}
