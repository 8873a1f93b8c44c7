import { Checkbox, Divider, Group, Paper, SimpleGrid, Stack, Switch } from "@mantine/core";
import { CategoryName } from "@/kit/preferences/CategoryName";
import { EVERY, uniform } from "@/kit/preferences/matrix";
import { named, type GridProps } from "@/kit/preferences/grid";

/** A card for every category, with its channels in it. */
export function PreferenceCards({ rows, channels, matrix, onMark }: GridProps) {
  return (
    <Stack gap="sm">
      {rows.map((row) => {
        const wanted = matrix[row.id];
        if (wanted === undefined) return null;
        const some = Object.values(wanted).includes(true);
        return (
          <Paper key={row.id} withBorder p="sm" role="group" aria-label={row.name}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <CategoryName category={row} />
              {!row.required && (
                <Switch
                  aria-label={`${row.name}, ${uniform(wanted) === undefined ? "somewhere" : "everywhere"}`}
                  checked={some}
                  onChange={(event) =>
                    onMark({ category: row.id, channel: EVERY }, event.currentTarget.checked)
                  }
                />
              )}
            </Group>
            {!row.required && (
              <>
                <Divider my="sm" />
                <SimpleGrid cols={2} spacing="sm" verticalSpacing="sm">
                  {channels.map((channel) => (
                    <Checkbox
                      key={channel}
                      label={named(channel)}
                      checked={wanted[channel]}
                      onChange={(event) => onMark({ category: row.id, channel }, event.currentTarget.checked)}
                    />
                  ))}
                </SimpleGrid>
              </>
            )}
          </Paper>
        );
      })}
    </Stack>
  );
}
