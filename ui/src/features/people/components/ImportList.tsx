import { Collapse, Text, UnstyledButton } from "@mantine/core";
import { ImportDetails } from "@/features/people/components/ImportDetails";
import { ImportStatusBadge } from "@/features/people/components/ImportStatusBadge";
import rows from "@/features/people/components/rows.module.css";
import { importInWords } from "@/features/people/logic/import-words";
import type { Import } from "@/features/people/schemas";
import { When } from "@/kit/When";

interface Props {
  imports: readonly Import[];
  opened: string | undefined;
  /** The page of its errors. */
  errors: string | undefined;
  onOpen: (id: string | undefined) => void;
  onTurn: (errors: string | undefined) => void;
}

/** Every import with what came of it; one that is pressed opens in its place. */
export function ImportList({ imports, opened, errors, onOpen, onTurn }: Props) {
  return (
    <ul className={rows.list} aria-label="Imports">
      {imports.map((one) => (
        <li key={one.id} className={rows.item}>
          <UnstyledButton
            className={`${rows.row} ${rows.import}`}
            w="100%"
            aria-expanded={one.id === opened}
            onClick={() => onOpen(one.id === opened ? undefined : one.id)}
          >
            <ImportStatusBadge of={one} />
            <div className={rows.main}>
              {one.file !== null && (
                <Text size="sm" fw={560}>
                  {one.file}
                </Text>
              )}
              <Text size="sm">{importInWords(one)}</Text>
            </div>
            <Text size="xs" c="dimmed" className={rows.end ?? ""}>
              <When at={one.createdAt} />
            </Text>
          </UnstyledButton>
          <Collapse expanded={one.id === opened} px="md" pb="md" pt="xs">
            {one.id === opened && <ImportDetails of={one} errors={errors} onTurn={onTurn} />}
          </Collapse>
        </li>
      ))}
    </ul>
  );
}
