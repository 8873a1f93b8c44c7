import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "@/kit/Panel";

/** A part of the form: what is asked, and why. */
export function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Panel p="md">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </div>
        {children}
      </Stack>
    </Panel>
  );
}
