import { ScrollArea, Table, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { LevelBadge } from "@/features/activity/components/badges";
import { tallied } from "@/kit/delivery/tally";
import type { Notice } from "@/features/activity/schemas";
import { When } from "@/kit/When";

interface Props {
  notices: readonly Notice[];
  onOpen: (id: string) => void;
}

export function NoticeTable({ notices, onOpen }: Props) {
  return (
    <ScrollArea type="auto">
      <Table highlightOnHover verticalSpacing="xs" miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Notice</Table.Th>
            <Table.Th>Category</Table.Th>
            <Table.Th>Level</Table.Th>
            <Table.Th>Said</Table.Th>
            <Table.Th>How it stands</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {notices.map((notice) => (
            <Table.Tr key={notice.id}>
              <Table.Td maw={300}>
                <UnstyledButton maw="100%" onClick={() => onOpen(notice.id)}>
                  <Text size="sm" fw={560} truncate>
                    <VisuallyHidden>Open </VisuallyHidden>
                    {notice.title}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {notice.channels.join(", ")}
                  </Text>
                </UnstyledButton>
              </Table.Td>
              <Table.Td>{notice.category}</Table.Td>
              <Table.Td>
                <LevelBadge level={notice.level} />
              </Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <When at={notice.runAt} />
              </Table.Td>
              <Table.Td>
                {notice.closedAt === null ? "" : "Closed · "}
                {tallied(notice.tally)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
