import { Group, List, Text } from "@mantine/core";
import { recipientMeans } from "@/features/reports/logic/words";
import type { Run } from "@/features/reports/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";

/** What became of a run for each of those whom it is for. */
export function RunDetail({ run: { id, recipients } }: { run: Run }) {
  if (recipients.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nobody was mailed.
      </Text>
    );
  return (
    <List listStyleType="none" spacing={6} aria-label={`Recipients of run ${id}`}>
      {recipients.map(({ email, status, deliveredAt, errorMessage }) => (
        <List.Item key={email}>
          <Group gap="xs">
            <StatusBadge status={status} means={recipientMeans[status]} />
            <Text size="sm">{email}</Text>
            {deliveredAt !== null && (
              <Text size="xs" c="dimmed">
                <When at={deliveredAt} />
              </Text>
            )}
            {errorMessage !== null && (
              <Text size="xs" c={status === "failed" ? "var(--mantine-color-error)" : "dimmed"}>
                {errorMessage}
              </Text>
            )}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
