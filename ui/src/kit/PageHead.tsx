import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** What one does here, in one sentence. */
  about?: ReactNode;
  children?: ReactNode;
}

/** The top of every page: its name, what it is for, what one can do. */
export function PageHead({ title, about, children }: Props) {
  useDocumentTitle(`${title} · Tidings`);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={2} miw={0} flex="1 1 260px">
        <Title order={1} size="h2">
          {title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" size="sm" component="div">
            {about}
          </Text>
        )}
      </Stack>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
