import { SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { isRunning } from "@/features/people/logic/import-words";
import { useImportErrors } from "@/features/people/operations/list-import-errors";
import type { Import } from "@/features/people/schemas";
import { Pager } from "@/kit/Pager";
import { sentence } from "@/kit/refused";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";
import { exactly, lasting } from "@/kit/time";

interface Props {
  of: Import;
  errors: string | undefined;
  onTurn: (errors: string | undefined) => void;
}

/** The totals of an import, and what is wrong with its file, line by line. */
export function ImportDetails({ of, errors, onTurn }: Props) {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm" maw={560}>
        <Total label="Rows read" value={of.rows} />
        <Total label="Wrong" value={of.wrong} bad />
        <Total label={of.dryRun ? "Would be created" : "Created"} value={of.created} />
        <Total label={of.dryRun ? "Would be changed" : "Changed"} value={of.updated} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {times(of)}
      </Text>
      {of.wrong > 0 && !isRunning(of) && <Wrong id={of.id} cursor={errors} onTurn={onTurn} />}
    </Stack>
  );
}

function Total({ label, value, bad = false }: { label: string; value: number; bad?: boolean }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text
        fw={620}
        size="lg"
        className="numbers"
        {...(bad && value > 0 ? { c: "var(--mantine-color-error)" } : {})}
      >
        {value.toLocaleString()}
      </Text>
    </div>
  );
}

function times({ createdAt, finishedAt }: Import): string {
  const begun = `Begun ${exactly(createdAt)}`;
  if (finishedAt === null) return `${begun}.`;
  return `${begun}, over after ${lasting(Date.parse(finishedAt) - Date.parse(createdAt))}.`;
}

function Wrong({ id, cursor, onTurn }: { id: string; cursor: string | undefined; onTurn: Props["onTurn"] }) {
  return (
    <Asked query={useImportErrors(id, cursor)} loading={<Loading rows={2} height={28} />}>
      {(page) => (
        <>
          <Table verticalSpacing={6} aria-label="Wrong rows">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={80}>Line</Table.Th>
                <Table.Th>What is wrong</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.data.map(({ line, error }) => (
                <Table.Tr key={line}>
                  <Table.Td className="numbers">{line}</Table.Td>
                  <Table.Td style={{ overflowWrap: "anywhere" }}>{sentence(error)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Pager page={page} cursor={cursor} onTurn={onTurn} words={["First", "Next"]} />
        </>
      )}
    </Asked>
  );
}
