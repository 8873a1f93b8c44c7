import { Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview, Pulse } from "@/features/overview/schemas";
import { lasting } from "@/kit/time";
import { useMay } from "@/session/session";
import classes from "@/features/overview/components/Tiles.module.css";

interface Props {
  overview: Overview;
  latest: Pulse | null;
}

/** The handful of numbers that say whether all is well; each leads to where one can do something about it. */
export function Tiles({ overview, latest }: Props) {
  const hour = overview.minutes.reduce(
    (sum, minute) => ({ sent: sum.sent + minute.sent, failed: sum.failed + minute.failed + minute.dead }),
    { sent: 0, failed: 0 },
  );
  const { intents, deliveries, dead, held } = overview.totals;
  const waiting = latest?.waiting ?? intents.waiting + deliveries.waiting;
  const lag =
    latest?.lagSeconds ?? Math.max(overview.lag.intentsSeconds ?? 0, overview.lag.deliveriesSeconds ?? 0);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Tile to="/activity/deliveries" label="Sent, last hour" value={hour.sent.toLocaleString()} />
      <Tile
        to="/activity/deliveries?status=failed"
        label="Failed, last hour"
        value={hour.failed.toLocaleString()}
        bad={hour.failed > 0}
      />
      <Tile to="/outbox" label="Waiting" value={waiting.toLocaleString()} />
      <Tile to="/outbox" label="Behind" value={lag < 1 ? "0 s" : lasting(lag * 1000)} bad={lag > 60} />
      <Tile to="/outbox?status=dead" label="Dead letters" value={dead.toLocaleString()} bad={dead > 0} />
      <Tile
        to="/activity/deliveries?status=unknown"
        label="Held"
        value={held.toLocaleString()}
        bad={held > 0}
      />
    </SimpleGrid>
  );
}

function Tile({
  to,
  label,
  value,
  bad = false,
}: {
  to: string;
  label: string;
  value: string;
  bad?: boolean;
}) {
  const may = useMay("admin") || to.startsWith("/outbox");
  const leading = may ? { component: Link, to, className: classes.tile ?? "" } : {};
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" {...leading}>
      <Stack gap={2}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text fw={650} fz={26} lh={1.15} className="numbers" {...(bad ? { c: "red" } : {})}>
          {value}
        </Text>
      </Stack>
    </Paper>
  );
}
