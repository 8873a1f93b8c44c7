import { Button, Drawer, Group, Stack, Text, Timeline } from "@mantine/core";
import { useRuleVersions } from "@/features/rules/operations/list-rule-versions";
import type { RuleVersion } from "@/features/rules/schemas";
import { By } from "@/session/By";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { When } from "@/kit/When";

interface Props {
  id: string;
  opened: boolean;
  onClose: () => void;
  /** Puts it into the form; nothing is saved by that. */
  onBringBack: (version: RuleVersion) => void;
}

/** Every version of a rule: who changed what, and the way back. */
export function RuleVersions({ id, opened, onClose, onBringBack }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} position="right" title="Versions">
      {opened && <Versions id={id} onBringBack={onBringBack} />}
    </Drawer>
  );
}

function Versions({ id, onBringBack }: Pick<Props, "id" | "onBringBack">) {
  const asked = useRuleVersions(id);
  if (asked.data === undefined)
    return asked.error === null ? <Loading rows={3} /> : <Failed error={asked.error} />;
  const versions = asked.data.pages.flatMap((page) => page.data);
  return (
    <Stack>
      <Timeline active={0} bulletSize={14} lineWidth={2}>
        {versions.map((version, n) => (
          <Timeline.Item key={version.version} title={`Version ${version.version}`}>
            <Text size="sm">{changeInWords(version, versions[n + 1])}</Text>
            <Group gap="xs" mt={2}>
              <Text size="xs" c="dimmed">
                <When at={version.createdAt} />, <By actor={version.changedBy} />
              </Text>
              {n > 0 && (
                <Button size="compact-xs" variant="light" onClick={() => onBringBack(version)}>
                  Bring back version {version.version}
                </Button>
              )}
            </Group>
          </Timeline.Item>
        ))}
      </Timeline>
      {asked.hasNextPage && (
        <Button
          variant="default"
          onClick={() => void asked.fetchNextPage()}
          loading={asked.isFetchingNextPage}
        >
          Older
        </Button>
      )}
    </Stack>
  );
}

const NAMES: Partial<Record<keyof RuleVersion, string>> = {
  name: "name",
  factType: "fact type",
  conditions: "conditions",
  audience: "audience",
  title: "title",
  body: "body",
  template: "template",
  channels: "channels",
  level: "level",
  category: "category",
  delay: "delay",
  shared: "shared",
  properties: "properties",
};

/** What is different from the version before. */
export function changeInWords(version: RuleVersion, before: RuleVersion | undefined): string {
  if (before === undefined) return version.version === 1 ? "Made" : "Changed";
  const changed = Object.entries(NAMES)
    .filter(([name]) => differs(version, before, name as keyof RuleVersion))
    .map(([, word]) => word);
  const turned = version.enabled === before.enabled ? [] : [version.enabled ? "Turned on" : "Turned off"];
  return [...turned, ...(changed.length === 0 ? [] : [`Changed ${changed.join(", ")}`])].join(". ");
}

function differs(one: RuleVersion, other: RuleVersion, name: keyof RuleVersion): boolean {
  return JSON.stringify(one[name]) !== JSON.stringify(other[name]);
}
