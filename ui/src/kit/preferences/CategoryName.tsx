import { Badge, Group, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { Category } from "@/kit/preferences/schemas";

/** What a category is called and holds; one that is required says so, in place of letting itself be turned off. */
export function CategoryName({ category }: { category: Category }) {
  return (
    <Stack gap={2} miw={0}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {category.name}
        </Text>
        {category.required && (
          <Badge
            variant="default"
            size="sm"
            tt="none"
            fw={560}
            leftSection={<IconLock size={11} aria-hidden />}
          >
            Required
          </Badge>
        )}
      </Group>
      {category.description !== null && (
        <Text size="xs" c="dimmed" fw={400}>
          {category.description}
        </Text>
      )}
    </Stack>
  );
}
