import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useDeleteCategory } from "@/features/categories/operations/delete-category";
import { Confirm } from "@/kit/Confirm";
import { isStatus, said } from "@/kit/problem";
import type { Category } from "@/kit/preferences/schemas";

export function DeleteCategory({ category, onDone }: { category: Category; onDone: () => void }) {
  const remove = useDeleteCategory();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Delete…
      </Button>
      <Confirm
        opened={asking}
        title={`Delete ${category.name}?`}
        deed="Delete it"
        busy={remove.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(category.id, { onSuccess: onDone })}
      >
        <Stack gap="sm">
          {remove.error !== null && (
            <Alert color="red" role="alert">
              {isStatus(remove.error, 404) ? "It is not there any more." : said(remove.error)}
            </Alert>
          )}
          <span>
            Rules that name <b>{category.id}</b> go on. What people said of it stays, and counts
            {category.required && "; it is no longer required, so that they can turn it off"}.
          </span>
        </Stack>
      </Confirm>
    </>
  );
}
