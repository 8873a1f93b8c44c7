import { Anchor, Code, ScrollArea, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Fact } from "@/features/activity/schemas";
import { When } from "@/kit/When";

const LONGEST = 120;

export function FactTable({ facts }: { facts: readonly Fact[] }) {
  return (
    <ScrollArea type="auto">
      <Table highlightOnHover verticalSpacing="xs" miw={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Fact</Table.Th>
            <Table.Th>Recorded</Table.Th>
            <Table.Th>Stream</Table.Th>
            <Table.Th>Data</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {facts.map((fact) => (
            <Row key={fact.id} fact={fact} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function Row({ fact }: { fact: Fact }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/activity/${fact.id}`} size="sm" fw={560}>
          {fact.type}
        </Anchor>
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <When at={fact.occurredAt} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" truncate maw={260}>
          {fact.stream === null ? "–" : `${fact.stream.type} ${fact.stream.id}`}
        </Text>
      </Table.Td>
      <Table.Td maw={360}>
        <Text size="sm" truncate component="div">
          <Code bg="transparent" p={0}>
            {JSON.stringify(fact.data).slice(0, LONGEST)}
          </Code>
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
