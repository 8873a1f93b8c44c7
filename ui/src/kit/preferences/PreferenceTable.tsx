import { Checkbox, Group, Stack, Table, Text } from "@mantine/core";
import { channelIcons, type Channel } from "@/kit/channels";
import { CategoryName } from "@/kit/preferences/CategoryName";
import { EVERY, uniform } from "@/kit/preferences/matrix";
import classes from "@/kit/preferences/preferences.module.css";
import { named, type GridProps } from "@/kit/preferences/grid";

/** Categories down, channels across, a mark where they meet. */
export function PreferenceTable({ rows, channels, matrix, onMark }: GridProps) {
  return (
    <Table.ScrollContainer minWidth={280 + channels.length * 84} type="native">
      <Table className={classes.matrix} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th className={classes.mark}>Everywhere</Table.Th>
            {channels.map((channel) => (
              <Table.Th key={channel} className={classes.mark}>
                <ChannelHead channel={channel} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const wanted = matrix[row.id];
            if (wanted === undefined) return null;
            const whole = uniform(wanted);
            return (
              <Table.Tr key={row.id} data-every={row.id === EVERY || undefined}>
                <Table.Th scope="row" className={classes.what}>
                  <CategoryName category={row} />
                </Table.Th>
                <Table.Td className={classes.mark}>
                  <Checkbox
                    aria-label={`${row.name}, everywhere`}
                    checked={whole ?? false}
                    indeterminate={whole === undefined}
                    disabled={row.required}
                    onChange={() => onMark({ category: row.id, channel: EVERY }, whole !== true)}
                  />
                </Table.Td>
                {channels.map((channel) => (
                  <Table.Td key={channel} className={classes.mark}>
                    <Checkbox
                      aria-label={`${row.name}, ${named(channel)}`}
                      checked={wanted[channel]}
                      disabled={row.required}
                      onChange={(event) => onMark({ category: row.id, channel }, event.currentTarget.checked)}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ChannelHead({ channel }: { channel: Channel }) {
  const Sign = channelIcons[channel];
  return (
    <Stack gap={2} align="center">
      <Group c="dimmed">
        <Sign size={18} stroke={1.6} aria-hidden />
      </Group>
      <Text size="xs" fw={560}>
        {named(channel)}
      </Text>
    </Stack>
  );
}
