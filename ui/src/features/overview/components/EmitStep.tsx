import { Button, Code, CopyButton, Group, Stack, Tabs, Text } from "@mantine/core";
import { DoStep } from "@/features/overview/components/DoStep";
import { snippets } from "@/features/overview/snippets";
import { useSession } from "@/session/session";

/** The first fact, from one's own program or from here. */
export function EmitStep() {
  const { tenant, email } = useSession();
  const ways = snippets(location.origin, tenant, email);
  return (
    <Stack gap="sm" py="xs">
      <Tabs defaultValue="python">
        <Tabs.List>
          {ways.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {ways.map(({ id, label, text, about }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Code block tabIndex={0} role="region" aria-label={`${label} example`}>
              {text}
            </Code>
            <Group mt="xs" gap="sm">
              <CopyButton value={text}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="light" onClick={copy}>
                    {copied ? "Copied" : "Copy"}
                  </Button>
                )}
              </CopyButton>
              <Text size="xs" c="dimmed">
                {about} This page notices by itself.
              </Text>
            </Group>
          </Tabs.Panel>
        ))}
      </Tabs>
      <DoStep what="fact" deed="Emit it from here" />
    </Stack>
  );
}
