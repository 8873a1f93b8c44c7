import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "@/kit/Panel";

interface Props {
  title: string;
  /** What it is for. */
  about?: ReactNode;
  /** What one can do here, beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page or of a form: what it is, why, and its own ground. */
export function Section({ title, about, action, children }: Props) {
  return (
    <section aria-label={title}>
      <Panel p="md">
        <Stack gap="sm">
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            <div>
              <Title order={2} size="h5">
                {title}
              </Title>
              {about !== undefined && (
                <Text size="sm" c="dimmed" component="div">
                  {about}
                </Text>
              )}
            </div>
            {action !== undefined && <Box flex="none">{action}</Box>}
          </Group>
          {children}
        </Stack>
      </Panel>
    </section>
  );
}
