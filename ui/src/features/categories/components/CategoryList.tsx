import { Button, Code, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { CategoryName } from "@/kit/preferences/CategoryName";
import type { Category } from "@/kit/preferences/schemas";
import { Row, Rows } from "@/kit/Rows";
import { useMay } from "@/session/session";

interface Props {
  categories: readonly Category[];
  onOpen: (id: string) => void;
}

export function CategoryList({ categories, onOpen }: Props) {
  const may = useMay("admin");
  return (
    <Rows label="Categories" columns="minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr)">
      {categories.map((category) => (
        <Row
          key={category.id}
          deeds={
            may && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Edit ${category.name}`}
                onClick={() => onOpen(category.id)}
              >
                Edit
              </Button>
            )
          }
        >
          <CategoryName category={{ ...category, required: false }} />
          <Code w="fit-content">{category.id}</Code>
          <Text size="sm" c="dimmed">
            {category.required ? (
              <>
                <IconLock size={13} aria-hidden /> required of everybody
              </>
            ) : (
              "everybody chooses"
            )}
          </Text>
        </Row>
      ))}
    </Rows>
  );
}
