import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useRetryDns } from "@/features/organizations/operations/retry-dns";

/** Looks whether DNS has propagated now, not at the next time. */
export function RetryDns({ organizationId }: { organizationId: string }) {
  const retry = useRetryDns();
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={retry.isPending}
      onClick={() => retry.mutate(organizationId)}
    >
      Look up DNS now
    </Button>
  );
}
