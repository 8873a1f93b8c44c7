import { Button, Code, CopyButton, Group, Stack, Table, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

const EXAMPLE = `external_id,name,email,locale,groups
7,Somebody,somebody@example.com,it,kitchen;bar
8,Somebody else,else@example.com,en,kitchen
`;

const COLUMNS: readonly (readonly [string, string])[] = [
  ["name", "Required: what they are called."],
  ["external_id", "Your own id. Who has it is changed; without one, somebody is created."],
  ["email, phone", "Becomes their only address of the kind. Phones as +390612345678."],
  ["push_token, slack_webhook", "Likewise."],
  ["user_type", "Such as guest or owner."],
  ["locale, timezone", "Such as pt-BR and Europe/Rome."],
  ["quiet_from, quiet_until", "Such as 22:00 and 07:00, by their own clock."],
  ["groups", "External ids, with ; between them. One that is not there is made."],
  ["topics", "With ; between them. Added, never taken away."],
];

/** What a file may hold, with one to begin from. */
export function Columns() {
  return (
    <Stack gap="sm">
      <Code block tabIndex={0} role="region" aria-label="An example file">
        {EXAMPLE}
      </Code>
      <Group>
        <CopyButton value={EXAMPLE}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy the example"}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Table verticalSpacing={4} aria-label="Columns">
        <Table.Tbody>
          {COLUMNS.map(([names, about]) => (
            <Table.Tr key={names}>
              <Table.Th scope="row" fw={400} w={150}>
                <Code style={{ whiteSpace: "normal" }}>{names}</Code>
              </Table.Th>
              <Table.Td>{about}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        The first line names the columns, in any order. A column that is not there leaves what was; an empty
        cell clears.
      </Text>
    </Stack>
  );
}
