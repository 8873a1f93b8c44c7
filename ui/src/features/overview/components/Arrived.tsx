import { Button, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Panel } from "@/kit/Panel";
import { meaning } from "@/kit/theme";

/** The end of the way, for who went it on this page. */
export function Arrived() {
  return (
    <Panel p="lg">
      <Group justify="space-between">
        <Group wrap="nowrap" align="flex-start">
          <ThemeIcon color={meaning.good} variant="light" radius="xl" size="lg" aria-hidden>
            <IconCheck size={20} />
          </ThemeIcon>
          <Stack gap={2}>
            <Title order={2} size="h4">
              Your first message has arrived
            </Title>
            <Text c="dimmed" size="sm">
              The sandbox kept it. With a provider of your own, the next one reaches its person.
            </Text>
          </Stack>
        </Group>
        <Group gap="xs">
          <Button size="xs" component={Link} to="/sandbox">
            Look at it
          </Button>
          <Button size="xs" variant="default" component={Link} to="/channels">
            Set up a provider
          </Button>
        </Group>
      </Group>
    </Panel>
  );
}
