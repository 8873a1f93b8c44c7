import { Button, Drawer, Group, Stack, Text, Timeline } from "@mantine/core";
import { useTemplateVersions } from "@/features/templates/operations/list-template-versions";
import { partNames, type Template, type TemplateKey } from "@/features/templates/schemas";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { When } from "@/kit/When";
import { By } from "@/session/By";

interface Props {
  id: TemplateKey;
  opened: boolean;
  onClose: () => void;
  onLook: (version: number | undefined) => void;
}

/** Every version of yours, and the way back to it. */
export function TemplateVersions({ id, opened, onClose, onLook }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} position="right" title="Versions">
      {opened && <Versions id={id} onLook={onLook} />}
    </Drawer>
  );
}

function Versions({ id, onLook }: Pick<Props, "id" | "onLook">) {
  const asked = useTemplateVersions(id);
  if (asked.data === undefined)
    return asked.error === null ? <Loading rows={3} /> : <Failed error={asked.error} />;
  const versions = asked.data.pages.flatMap((page) => page.data);
  if (versions.length === 0)
    return <Text size="sm">There is none of yours. Ours is used, and changes only with Tidings itself.</Text>;
  return (
    <Stack>
      <Timeline active={0} bulletSize={14} lineWidth={2}>
        {versions.map((version, n) => (
          <Timeline.Item key={version.version} title={`Version ${version.version ?? ""}`}>
            <Text size="sm">{changeInWords(version, versions[n + 1])}</Text>
            <Group gap="xs" mt={2}>
              <Text size="xs" c="dimmed">
                {version.createdAt !== null && <When at={version.createdAt} />},{" "}
                <By actor={version.changedBy} />
              </Text>
              {!version.retired && n > 0 && version.version !== null && (
                <Button
                  size="compact-xs"
                  variant="light"
                  onClick={() => onLook(version.version ?? undefined)}
                >
                  Look at version {version.version}
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

/** What is different from the version before. */
function changeInWords(version: Template, before: Template | undefined): string {
  if (version.retired) return "Retired";
  if (before === undefined) return version.version === 1 ? "Made" : "Changed";
  if (before.retired) return "Taken up again";
  return `Changed ${partNames.filter((part) => version[part] !== before[part]).join(", ")}`;
}
