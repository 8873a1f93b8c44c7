import {
  Accordion,
  ActionIcon,
  Alert,
  Group,
  Loader,
  Select,
  Stack,
  Text,
  Title,
  Tooltip,
} from "@mantine/core";
import { IconFlask, IconRefresh } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { TriedFact } from "@/features/rules/components/TriedFact";
import { listed } from "@/features/rules/logic/words";
import type { RuleParts, Trial } from "@/features/rules/schemas";
import { Panel } from "@/kit/Panel";
import { isStatus } from "@/kit/problem";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";

interface Props {
  rule: RuleParts;
  trial: UseQueryResult<Trial>;
  /** What must be written before it can be tried. */
  missing: readonly string[];
  amount: number;
  onAmount: (amount: number) => void;
}

const AMOUNTS = ["20", "50", "200"];

/** Beside the form: what the rule, as it stands, would have told of the newest facts. Nothing is sent. */
export function DryRun({ rule, trial, missing, amount, onAmount }: Props) {
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap={8} wrap="nowrap">
            <IconFlask size={18} stroke={1.6} aria-hidden />
            <Title order={2} size="h5">
              Dry run
            </Title>
            {trial.isFetching && <Loader size={14} aria-label="Being tried" />}
          </Group>
          <Group gap={4} wrap="nowrap">
            <Select
              size="xs"
              aria-label="Facts to try"
              data={AMOUNTS.map((value) => ({ value, label: `last ${value} facts` }))}
              value={String(amount)}
              onChange={(value) => value !== null && onAmount(Number(value))}
              allowDeselect={false}
              w={126}
            />
            <Tooltip label="Try it again">
              <ActionIcon
                variant="subtle"
                aria-label="Try it again"
                disabled={missing.length > 0}
                onClick={() => void trial.refetch()}
              >
                <IconRefresh size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
        </Group>
        {missing.length > 0 ? (
          <Text size="sm" c="dimmed">
            Add {listed(missing)}, and you see here whom the rule would have told of the facts that are there.
            Nothing is sent.
          </Text>
        ) : (
          <Outcome rule={rule} trial={trial} />
        )}
      </Stack>
    </Panel>
  );
}

function Outcome({ rule, trial }: Pick<Props, "rule" | "trial">) {
  if (isStatus(trial.error, 422))
    return (
      <Alert color="orange" title="It cannot be tried like this">
        What is wrong stands at its field.
      </Alert>
    );
  if (trial.error !== null) return <Failed error={trial.error} onRetry={() => void trial.refetch()} />;
  if (trial.data === undefined) return <Loading rows={4} />;
  return <Shown rule={rule} trial={trial.data} />;
}

function Shown({ rule, trial }: { rule: RuleParts; trial: Trial }) {
  if (trial.facts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There are no facts of type {rule.factType} yet. The rule can be saved all the same: it counts for
        those that come.
      </Text>
    );
  const people = Math.max(0, ...trial.facts.map((fact) => fact.audience?.count ?? 0));
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        <strong>
          {trial.matched} of {trial.facts.length}
        </strong>{" "}
        {trial.facts.length === 1 ? "fact" : "facts"} would have been told of
        {trial.matched > 0 && `, to ${people === 1 ? "one person" : `up to ${people} people`} each`}.
      </Text>
      {!trial.complete && (
        <Text size="xs" c="dimmed">
          Time ran out before the last of them was tried.
        </Text>
      )}
      <Accordion variant="separated" order={3}>
        {trial.facts.map((fact) => (
          <TriedFact key={fact.factId} fact={fact} rule={rule} />
        ))}
      </Accordion>
      <Text size="xs" c="dimmed">
        Nothing is sent. What people turned off, and their quiet hours, are not asked here.
      </Text>
    </Stack>
  );
}
