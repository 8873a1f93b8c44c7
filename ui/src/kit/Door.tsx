import { Center, Paper, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Mark } from "@/kit/Mark";

/** The ground before the house, where nobody has to be signed in. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Tidings`);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420} shadow="xs">
        <Stack gap="lg">
          <Stack gap={4}>
            <Mark />
            <Title order={1} size="h3">
              {title}
            </Title>
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
