import { Anchor, Badge, Group, Stack, Switch, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import classes from "@/features/channels/components/ProviderList.module.css";
import { Standing } from "@/features/channels/components/Standing";
import { limitsInWords, placeInWords, typeWords } from "@/features/channels/logic/words";
import { useSwitchProvider } from "@/features/channels/operations/switch-provider";
import type { Provider } from "@/features/channels/schemas";
import { When } from "@/kit/When";

interface Props {
  provider: Provider;
  place: number;
  among: number;
}

/** One provider in a few words: how it feels, what holds it back, what it said last. */
export function ProviderRow({ provider, place, among }: Props) {
  const role = placeInWords(provider, place, among);
  return (
    <li className={classes.row}>
      <Enabled provider={provider} />
      <Stack gap={2} miw={0}>
        <Group gap={8}>
          <Anchor
            component={Link}
            to={`/channels/${provider.id}`}
            fw={600}
            c="var(--mantine-color-text)"
            className={classes.break ?? ""}
          >
            {provider.name}
          </Anchor>
          {provider.builtIn && (
            <Badge variant="default" size="sm" tt="none" fw={500}>
              built in
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {typeWords(provider.type).name}
          {role !== undefined && `, ${role}`}
        </Text>
      </Stack>
      <Stack gap={4} miw={0} align="flex-start">
        <Standing provider={provider} />
        <Text size="xs" c="dimmed">
          {limitsInWords(provider)}
        </Text>
      </Stack>
      <LastFailure provider={provider} />
    </li>
  );
}

function LastFailure({ provider: { circuit } }: { provider: Provider }) {
  if (circuit.lastError === null) {
    return (
      <Text size="xs" c="dimmed">
        Nothing failed.
      </Text>
    );
  }
  return (
    <Stack gap={0} miw={0}>
      <Text size="xs" lineClamp={2} className={classes.break ?? ""}>
        {circuit.lastError}
      </Text>
      <Text size="xs" c="dimmed">
        failed last {circuit.lastErrorAt !== null && <When at={circuit.lastErrorAt} />}
      </Text>
    </Stack>
  );
}

function Enabled({ provider }: { provider: Provider }) {
  const change = useSwitchProvider(provider.id);
  return (
    <Switch
      mt={2}
      aria-label={`${provider.name} is on`}
      checked={provider.enabled}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
