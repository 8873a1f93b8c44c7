import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { stepWords, undoWords, roleInWords } from "@/features/organizations/logic/words";
import type { Bootstrap } from "@/features/organizations/schemas";
import { Details } from "@/kit/Details";
import { Section } from "@/kit/Section";
import { When } from "@/kit/When";
import { amountOf } from "@/kit/words";

/** What has come of it, once something has. */
export function Outcome({ bootstrap }: { bootstrap: Bootstrap }) {
  const { result, status } = bootstrap;
  if (result !== null) return <Complete bootstrap={bootstrap} result={result} />;
  if (status === "failed" || status === "cancelled" || status === "compensating")
    return <Undone bootstrap={bootstrap} />;
  return null;
}

type Result = NonNullable<Bootstrap["result"]>;

function Complete({ bootstrap, result }: { bootstrap: Bootstrap; result: Result }) {
  const { organizationId, name, closedAt } = bootstrap;
  return (
    <Section
      title="It is active"
      about="Whoever was invited can accept now."
      action={<IconCircleCheck size={28} color="var(--mantine-color-teal-6)" aria-hidden />}
    >
      <Details
        of={[
          ["Domain", result.domain],
          ["Place", result.path],
          ["DNS", result.dnsConfigured ? "set up" : "not set up"],
          ["Invitations", `${amountOf(result.invitationsSent, "mail")} sent`],
          [
            "Admin role",
            `${roleInWords(result.adminRole)}, ${amountOf(result.permissionsGranted, "permission")}`,
          ],
          ["Done", closedAt === null ? null : <When key="done" at={closedAt} />],
        ]}
      />
      {result.errors.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} title="Not every mail was sent">
          <List size="sm">
            {result.errors.map((error, place) => (
              <List.Item key={place}>{error}</List.Item>
            ))}
          </List>
          <Text size="sm">Send them again on its page.</Text>
        </Alert>
      )}
      <Group>
        <Button component={Link} to={`/organizations/${organizationId}`}>
          To {name}
        </Button>
      </Group>
    </Section>
  );
}

const TITLES = {
  compensating: "It is being undone",
  failed: "It failed",
  cancelled: "It was cancelled",
} as const;

function Undone({ bootstrap }: { bootstrap: Bootstrap }) {
  const { status, stage, error, leftOver, closedAt, organizationId } = bootstrap;
  const title = TITLES[status as keyof typeof TITLES];
  return (
    <Section
      title={title}
      about={
        status === "compensating"
          ? "What was done is taken back, the last first."
          : "What was done was taken back."
      }
    >
      <Details
        of={[
          ["Why", error],
          ...(stage === null ? [] : [["While at", stepWords[stage][0]] as const]),
          ...(closedAt === null ? [] : [["Over", <When key="over" at={closedAt} />] as const]),
        ]}
      />
      {leftOver.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Left over" role="alert">
          It was not possible yet to {leftOver.map((undo) => undoWords[undo]).join(", and to ")}. That is
          tried again by itself, for days.
        </Alert>
      )}
      {closedAt !== null && (
        <Stack align="flex-start">
          <Button component={Link} to={`/organizations/${organizationId}`} variant="default">
            What happened, in full
          </Button>
        </Stack>
      )}
    </Section>
  );
}
