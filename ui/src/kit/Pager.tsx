import { Button, Group, Text } from "@mantine/core";
import { IconChevronRight, IconChevronsLeft } from "@tabler/icons-react";
import type { Page } from "@/kit/shapes";

interface Props {
  page: Page<unknown>;
  /** The cursor of the page that is shown; undefined on the first. */
  cursor: string | undefined;
  onTurn: (cursor: string | undefined) => void;
  /** What leads back to the beginning, and on from here; lists have the newest first. */
  words?: readonly [first: string, next: string];
}

/** Pages stand in the address: the browser's own way back is the way back. */
export function Pager({ page, cursor, onTurn, words = ["Newest", "Older"] }: Props) {
  const { nextCursor } = page.pagination;
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <Group justify="space-between" p="sm">
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconChevronsLeft size={16} />}
        disabled={cursor === undefined}
        onClick={() => onTurn(undefined)}
      >
        {words[0]}
      </Button>
      <Text size="xs" c="dimmed">
        {page.data.length} shown
      </Text>
      <Button
        variant="subtle"
        size="xs"
        rightSection={<IconChevronRight size={16} />}
        disabled={nextCursor === null}
        onClick={() => onTurn(nextCursor ?? undefined)}
      >
        {words[1]}
      </Button>
    </Group>
  );
}
