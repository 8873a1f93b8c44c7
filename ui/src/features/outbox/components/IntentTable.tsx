import { Code, ScrollArea, Table, Text, UnstyledButton } from "@mantine/core";
import { IntentStatusBadge } from "@/kit/outbox/IntentStatusBadge";
import type { Intent } from "@/features/outbox/schemas";
import { When } from "@/kit/When";

interface Props {
  intents: readonly Intent[];
  onOpen: (id: string) => void;
}

export function IntentTable({ intents, onOpen }: Props) {
  return (
    <ScrollArea type="auto">
      <Table highlightOnHover verticalSpacing="xs" miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Runs</Table.Th>
            <Table.Th>Attempts</Table.Th>
            <Table.Th>Last error</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {intents.map((intent) => (
            <Row key={intent.id} intent={intent} onOpen={onOpen} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function Row({ intent, onOpen }: { intent: Intent; onOpen: (id: string) => void }) {
  return (
    <Table.Tr>
      <Table.Td>
        <UnstyledButton onClick={() => onOpen(intent.id)}>
          <Text size="sm" fw={560}>
            {intent.kind}
          </Text>
          {intent.key !== null && <Code>{intent.key}</Code>}
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <IntentStatusBadge status={intent.status} />
      </Table.Td>
      <Table.Td>
        <When at={intent.finishedAt ?? intent.runAt} />
      </Table.Td>
      <Table.Td className="numbers">
        {intent.attempts}
        {intent.maxAttempts !== null && ` of ${intent.maxAttempts}`}
      </Table.Td>
      <Table.Td maw={320}>
        <Text size="sm" truncate>
          {intent.lastError ?? "–"}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
