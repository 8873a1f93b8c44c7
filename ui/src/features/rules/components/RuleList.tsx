import { Anchor, Code, Group, Stack, Switch, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import classes from "@/features/rules/components/RuleList.module.css";
import { audienceInWords, conditionInWords, delayInWords } from "@/features/rules/logic/words";
import { useSwitchRule } from "@/features/rules/operations/switch-rule";
import type { Rule } from "@/features/rules/schemas";
import { ChannelBadges } from "@/kit/ChannelBadges";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

/** Each rule in a few words, with the switch that turns it on and off. */
export function RuleList({ rules }: { rules: readonly Rule[] }) {
  return (
    <Stack gap={0} component="ul" className={classes.list ?? ""}>
      {rules.map((rule) => (
        <Row key={rule.id} rule={rule} />
      ))}
    </Stack>
  );
}

function Row({ rule }: { rule: Rule }) {
  return (
    <Group component="li" className={classes.row ?? ""} gap="md" wrap="nowrap" align="flex-start">
      <Enabled rule={rule} />
      <div className={classes.cells}>
        <Stack gap={2} miw={0}>
          <Anchor component={Link} to={`/rules/${rule.id}`} fw={600} c="var(--mantine-color-text)">
            {rule.name}
          </Anchor>
          <Group gap={6}>
            <Code>{rule.factType}</Code>
            {rule.level !== "info" && (
              <StatusBadge status={rule.level} means={rule.level === "critical" ? "bad" : "warning"} />
            )}
          </Group>
        </Stack>
        <Stack gap={2} miw={0}>
          <Text size="sm">Tells {audienceInWords(rule.audience)}</Text>
          {rule.conditions !== null && (
            <Text size="sm" c="dimmed">
              if {conditionInWords(rule.conditions)}
            </Text>
          )}
        </Stack>
        <Stack gap={4} miw={0}>
          <ChannelBadges channels={rule.channels} />
          {rule.delay !== null && (
            <Text size="xs" c="dimmed">
              {delayInWords(rule.delay)} later
            </Text>
          )}
        </Stack>
        <Text size="sm" c="dimmed" className={classes.changed ?? ""}>
          <When at={rule.updatedAt} />, version {rule.version}
        </Text>
      </div>
    </Group>
  );
}

function Enabled({ rule }: { rule: Rule }) {
  const may = useMay("admin");
  const change = useSwitchRule(rule.id);
  return (
    <Switch
      mt={2}
      aria-label={`${rule.name} is on`}
      checked={rule.enabled}
      disabled={!may}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
