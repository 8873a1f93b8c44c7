import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "@/kit/Panel";

/** A part of the page with a name, and what it is about. */
export function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Panel p="md">
        <Stack gap="md">
          <Stack gap={2}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {about !== undefined && (
              <Text size="sm" c="dimmed">
                {about}
              </Text>
            )}
          </Stack>
          <div>{children}</div>
        </Stack>
      </Panel>
    </section>
  );
}
