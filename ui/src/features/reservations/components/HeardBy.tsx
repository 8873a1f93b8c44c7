import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import classes from "@/features/reservations/components/History.module.css";
import { NoticeLine } from "@/features/reservations/components/NoticeLine";
import { listenerInWords } from "@/features/reservations/logic/words";
import type { Told } from "@/features/reservations/logic/history";
import { useRetryListener } from "@/features/reservations/operations/retry-listener";
import { IntentStatusBadge } from "@/kit/outbox/IntentStatusBadge";
import { amountOf } from "@/kit/words";

interface Props {
  heard: Told["heard"][number];
  reservationId: number;
}

/** What one listener did with a fact, and what it said. One that has given up can be tried again. */
export function HeardBy({ heard, reservationId }: Props) {
  const { intentId, listener, status, attempts, verdict, lastError, notices } = heard;
  const retry = useRetryListener(reservationId);
  const name = listenerInWords(listener);
  const wrong = status === "dead" || status === "failed";
  return (
    <li className={classes.listener}>
      <div className={classes.who}>
        <Text size="sm" fw={560}>
          {name}
        </Text>
        <IntentStatusBadge status={status} />
      </div>
      <Stack gap={4} className={classes.what ?? ""}>
        {(wrong || attempts > 1) && (
          <Group gap="xs">
            {attempts > 1 && (
              <Text size="xs" c="dimmed">
                {amountOf(attempts, "attempt")}
              </Text>
            )}
            {status === "dead" && (
              <Button
                size="compact-xs"
                variant="default"
                loading={retry.isPending}
                aria-label={`Try again: ${name}`}
                onClick={() => retry.mutate(intentId)}
              >
                Try again
              </Button>
            )}
            {wrong && (
              <Anchor component={Link} to={`/outbox?intent=${intentId}`} size="xs">
                In the outbox
              </Anchor>
            )}
          </Group>
        )}
        {verdict !== null && notices.length === 0 && (
          <Text size="sm" c="dimmed">
            {verdict}
          </Text>
        )}
        {lastError !== null && status !== "succeeded" && (
          <Text size="sm" c="var(--mantine-color-error)">
            {lastError}
          </Text>
        )}
        {notices.map((notice) => (
          <NoticeLine key={notice.id} notice={notice} />
        ))}
      </Stack>
    </li>
  );
}
