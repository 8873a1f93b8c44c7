import { Center, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  icon: Icon;
  title: string;
  /** What to do next. */
  children: ReactNode;
  action?: ReactNode;
}

/** There is nothing here, and that is all right. */
export function Empty({ icon: Sign, title, children, action }: Props) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="sm" maw={440}>
        <ThemeIcon variant="light" size={52} radius="xl">
          <Sign size={26} stroke={1.6} />
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
