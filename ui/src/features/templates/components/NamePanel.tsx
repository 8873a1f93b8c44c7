import { ActionIcon, Badge, Group, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconPencil, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import classes from "@/features/templates/components/NamePanel.module.css";
import type { Beginning } from "@/features/templates/components/NewTemplate";
import type { ChannelOf, NameOf } from "@/features/templates/logic/catalogue";
import { localeInWords } from "@/kit/locales";
import type { Template } from "@/features/templates/schemas";
import { channelIcons, channelWords } from "@/kit/channels";
import { Panel } from "@/kit/Panel";

interface Props extends NameOf {
  /** Not given to who may not. */
  onAdd?: (from: Beginning) => void;
}

/** One name: its channels, and for each the languages that there is one for. */
export function NamePanel({ name, channels, onAdd }: Props) {
  return (
    <Panel>
      <Group className={classes.head ?? ""} justify="space-between">
        <Title order={2} size="h5">
          {name}
        </Title>
        <Text size="xs" c="dimmed">
          {summary(channels)}
        </Text>
      </Group>
      <Stack gap={0} component="ul" className={classes.list ?? ""}>
        {channels.map((each) => (
          <Row
            key={each.channel}
            {...each}
            {...(onAdd === undefined ? {} : { onAdd: () => onAdd({ name, channel: each.channel }) })}
          />
        ))}
      </Stack>
    </Panel>
  );
}

function summary(channels: readonly ChannelOf[]): string {
  const own = channels.flatMap(({ templates }) => templates).filter(({ builtIn }) => !builtIn).length;
  return own === 0 ? "all of them ours" : own === 1 ? "one of them yours" : `${own} of them yours`;
}

function Row({ channel, templates, onAdd }: ChannelOf & { onAdd?: () => void }) {
  const Sign = channelIcons[channel];
  return (
    <li className={classes.row}>
      <Group gap={8} w={{ base: "100%", xs: 130 }} flex="none">
        <Sign size={17} stroke={1.6} aria-hidden />
        <Text size="sm">{channelWords[channel]}</Text>
      </Group>
      <Group gap={8} flex={1} miw={0}>
        {templates.map((template) => (
          <OneTemplate key={template.locale} template={template} />
        ))}
        {onAdd !== undefined && (
          <ActionIcon
            variant="subtle"
            aria-label={`Add a language for ${channelWords[channel]}`}
            onClick={onAdd}
          >
            <IconPlus size={16} />
          </ActionIcon>
        )}
      </Group>
    </li>
  );
}

function OneTemplate({ template }: { template: Template }) {
  const { name, channel, locale, builtIn, version } = template;
  const standing = builtIn ? "ours" : `yours, version ${version ?? 1}`;
  return (
    <Link
      to="/templates/$name/$channel"
      params={{ name, channel }}
      search={locale === "" ? {} : { locale }}
      className={classes.template ?? ""}
    >
      <VisuallyHidden>{`${name}, ${channelWords[channel]}, `}</VisuallyHidden>
      <Text size="sm">{localeInWords(locale)}</Text>
      <Badge variant={builtIn ? "default" : "light"} tt="none" fw={560} size="sm">
        {standing}
      </Badge>
      <IconPencil size={14} stroke={1.6} aria-hidden />
    </Link>
  );
}
