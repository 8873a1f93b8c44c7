import { Title, useMantineTheme } from "@mantine/core";
import { Chart } from "@/features/overview/components/Chart";
import type { Second } from "@/features/overview/seconds";
import { Panel } from "@/kit/Panel";

/** How long the oldest that is due has waited, second by second. */
export function Behind({ seconds }: { seconds: readonly Second[] }) {
  const { colors } = useMantineTheme();
  return (
    <Panel p="md">
      <Title order={2} size="h5" mb="sm">
        Seconds behind
      </Title>
      <Chart
        times={seconds.map((second) => second.at)}
        lines={[
          {
            label: "Oldest due",
            color: colors.orange[6],
            values: seconds.map((second) => second.lag),
          },
        ]}
        label="How many seconds the oldest that is due has waited, live"
        height={150}
      />
    </Panel>
  );
}
