import { Button, Checkbox, Group, Input, Stack, Table, Text } from "@mantine/core";
import { bundles, sameScopes, subjects, type Scope } from "@/features/access/logic/scopes";

interface Props {
  value: readonly Scope[];
  onChange: (value: Scope[]) => void;
  error?: string | undefined;
}

/** What a key may do: what one wants most often at a press, and everything by itself. */
export function ScopesField({ value, onChange, error }: Props) {
  const mark = (scope: Scope, wanted: boolean) =>
    onChange(wanted ? [...value, scope] : value.filter((other) => other !== scope));
  const box = (name: string, verb: string, scope: Scope | undefined) =>
    scope !== undefined && (
      <Checkbox
        aria-label={`${name}: ${verb}`}
        checked={value.includes(scope)}
        onChange={(event) => mark(scope, event.currentTarget.checked)}
      />
    );
  return (
    <Stack gap="xs" role="group" aria-label="Scopes">
      <Group justify="space-between">
        <Text size="sm" fw={600} aria-hidden>
          Scopes
        </Text>
        <Group gap={4}>
          {bundles.map(({ name, scopes }) => (
            <Button
              key={name}
              size="compact-xs"
              variant={sameScopes(scopes, value) ? "light" : "default"}
              aria-pressed={sameScopes(scopes, value)}
              onClick={() => onChange([...scopes])}
            >
              {name}
            </Button>
          ))}
        </Group>
      </Group>
      <Table verticalSpacing={6} withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>About</Table.Th>
            <Table.Th w={64}>Read</Table.Th>
            <Table.Th w={64}>Write</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {subjects.map(({ name, about, read, write }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                <Text size="sm" span>
                  {name}
                </Text>{" "}
                <Text size="xs" c="dimmed" span>
                  {about}
                </Text>
              </Table.Th>
              <Table.Td>{box(name, "read", read)}</Table.Td>
              <Table.Td>{box(name, "write", write)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}
