import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlugConnectedX } from "@tabler/icons-react";
import { Empty } from "@/kit/states/Empty";
import { NoPermission } from "@/kit/states/NoPermission";
import { Away, isStatus, said } from "@/kit/problem";

interface Props {
  error: unknown;
  onRetry?: () => void;
}

/** What was asked for did not come: says why, and what one can do about it. */
export function Failed({ error, onRetry }: Props) {
  if (isStatus(error, 403)) return <NoPermission why={said(error)} />;
  if (isStatus(error, 404)) {
    return (
      <Empty icon={IconPlugConnectedX} title="Not here">
        It may have been removed, or belongs to another tenant.
      </Empty>
    );
  }
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={error instanceof Away ? "The server cannot be reached" : "This did not work"}
      role="alert"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {error instanceof Away ? "We go on by ourselves when it is back." : said(error)}
        </Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
