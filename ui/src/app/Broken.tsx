import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { said } from "@/kit/problem";

/** A page that failed does not take the others with it. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Center mih={320} p="md">
      <Stack align="center" gap="sm" maw={480} role="alert">
        <Title order={1} size="h3">
          This page broke
        </Title>
        <Text c="dimmed" ta="center">
          {said(error)}
        </Text>
        <Button
          onClick={() => {
            reset();
            void router.invalidate();
          }}
        >
          Try again
        </Button>
      </Stack>
    </Center>
  );
}
