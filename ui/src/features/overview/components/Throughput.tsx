import { Group, SegmentedControl, Title, useMantineTheme } from "@mantine/core";
import { useState } from "react";
import { Chart, type Line } from "@/features/overview/components/Chart";
import type { Minute } from "@/features/overview/schemas";
import type { Second } from "@/features/overview/seconds";
import { Panel } from "@/kit/Panel";

interface Props {
  minutes: readonly Minute[];
  seconds: readonly Second[];
}

/** Facts, sends and failures: the last hour by the minute, or the last two minutes by the second, as they come. */
export function Throughput({ minutes, seconds }: Props) {
  const [span, setSpan] = useState("hour");
  const points =
    span === "hour"
      ? minutes.map((minute) => ({
          ...minute,
          at: Date.parse(minute.at) / 1000,
          failed: minute.failed + minute.dead,
        }))
      : seconds;
  return (
    <Panel p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          Throughput
        </Title>
        <SegmentedControl
          size="xs"
          value={span}
          onChange={setSpan}
          data={[
            { value: "hour", label: "Last hour" },
            { value: "live", label: "Live" },
          ]}
          aria-label="Span"
        />
      </Group>
      <Chart
        times={points.map((point) => point.at)}
        lines={useLines(points)}
        label={`Facts, messages sent and failures, ${span === "hour" ? "a minute, over the last hour" : "a second, live"}`}
      />
    </Panel>
  );
}

function useLines(points: readonly { facts: number; sent: number; failed: number }[]): Line[] {
  const { colors } = useMantineTheme();
  return [
    { label: "Facts", color: colors.gray[5], values: points.map((point) => point.facts) },
    { label: "Sent", color: colors.tide?.[6] ?? "", values: points.map((point) => point.sent) },
    { label: "Failed", color: colors.red[6], values: points.map((point) => point.failed) },
  ];
}
