import { ActionIcon, Badge, Group, Menu, Stack, Switch, Text } from "@mantine/core";
import { IconDots, IconEdit, IconSend, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { IntegrationForm } from "@/features/integrations/components/IntegrationForm";
import { TestSend } from "@/features/integrations/components/TestSend";
import { useRemoveIntegration } from "@/features/integrations/operations/remove-integration";
import { useSwitchIntegration } from "@/features/integrations/operations/switch-integration";
import type { Integration } from "@/features/integrations/schemas";
import { Confirm } from "@/kit/Confirm";
import { Row } from "@/kit/Rows";
import { When } from "@/kit/When";
import { warningWords } from "@/kit/theme";

type Deed = "change" | "test" | "delete";

export function IntegrationRow({ integration }: { integration: Integration }) {
  const [doing, setDoing] = useState<Deed>();
  const stop = () => setDoing(undefined);
  return (
    <Row faint={!integration.active} deeds={<Deeds integration={integration} onChosen={setDoing} />}>
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {integration.name}
        </Text>
        <Text size="xs" c="dimmed">
          added <When at={integration.createdAt} />
        </Text>
      </Stack>
      <Text size="sm">leads to {integration.leadsTo}</Text>
      <Group gap={4}>
        {integration.tags.map((tag) => (
          <Badge key={tag} variant="default" tt="none" fw={500}>
            {tag}
          </Badge>
        ))}
        {integration.tags.length === 0 && (
          <Text size="xs" c="dimmed">
            no tags
          </Text>
        )}
      </Group>
      <OnOff integration={integration} />
      <IntegrationForm opened={doing === "change"} integration={integration} onClose={stop} />
      <TestSend opened={doing === "test"} integration={integration} onClose={stop} />
      <Remove opened={doing === "delete"} integration={integration} onClose={stop} />
    </Row>
  );
}

function OnOff({ integration: { id, name, active, inactiveReason } }: { integration: Integration }) {
  const change = useSwitchIntegration(id);
  return (
    <Stack gap={2}>
      <Switch
        aria-label={`${name} is on`}
        label={active ? "on" : "off"}
        checked={active}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {!active && inactiveReason !== null && inactiveReason !== "turned off by its owner" && (
        <Text size="xs" c={warningWords}>
          {inactiveReason}
        </Text>
      )}
    </Stack>
  );
}

function Deeds({ integration, onChosen }: { integration: Integration; onChosen: (deed: Deed) => void }) {
  const { name, active } = integration;
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`What can be done with ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSend size={16} />} disabled={!active} onClick={() => onChosen("test")}>
          Send a test…
        </Menu.Item>
        <Menu.Item leftSection={<IconEdit size={16} />} onClick={() => onChosen("change")}>
          Change…
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => onChosen("delete")}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface RemoveProps {
  opened: boolean;
  integration: Integration;
  onClose: () => void;
}

function Remove({ opened, integration: { id, name }, onClose }: RemoveProps) {
  const remove = useRemoveIntegration();
  return (
    <Confirm
      opened={opened}
      title={`Delete ${name}?`}
      deed="Delete it"
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(id, { onSettled: onClose })}
    >
      Its URL is deleted at once, and cannot be brought back. Where an event was to be told there and nowhere
      else, you hear of it nowhere: look at those events afterwards. Turn it off instead if you may want it
      back.
    </Confirm>
  );
}
