import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/kit/Details.module.css";

/** Names and values beside each other, for the details of one thing. */
export function Details({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Stack gap={0} component="dl" m={0}>
      {of.map(([name, value]) => (
        <Group key={name} className={classes.row} gap="md" align="baseline" wrap="nowrap">
          <Text component="dt" size="sm" c="dimmed" w={132} flex="none">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} miw={0} className={classes.value}>
            {value ?? "–"}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
