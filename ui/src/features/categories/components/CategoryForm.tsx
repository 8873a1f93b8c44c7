import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { DeleteCategory } from "@/features/categories/components/DeleteCategory";
import { usePutCategory } from "@/features/categories/operations/put-category";
import { categoryDraftSchema, type CategoryDraft } from "@/features/categories/schemas";
import { Problem } from "@/kit/problem";
import type { Category } from "@/kit/preferences/schemas";

interface Props {
  /** The one that is changed; without it, a new one. */
  category?: Category | undefined;
  /** The ids that there are: a new one does not take the place of another. */
  taken: readonly string[];
  onDone: () => void;
}

export function CategoryForm({ category, taken, onDone }: Props) {
  const put = usePutCategory();
  const form = useForm<CategoryDraft>({
    initialValues: {
      id: category?.id ?? "",
      name: category?.name ?? "",
      description: category?.description ?? "",
      required: category?.required ?? false,
    },
    validate: (draft) => ({
      ...schemaResolver(categoryDraftSchema, { sync: true })(draft),
      ...(category === undefined && taken.includes(draft.id) && { id: "There is a category with this id." }),
    }),
  });
  const save = (draft: CategoryDraft) =>
    put.mutate(draft, {
      onSuccess: onDone,
      onError: (error) => error instanceof Problem && form.setErrors(error.fields),
    });
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack>
        <TextInput
          label="Name"
          description="What people read where they choose."
          placeholder="Orders"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <TextInput
          label="Id"
          description="What rules name it by. It stays."
          placeholder="orders"
          disabled={category !== undefined}
          {...form.getInputProps("id")}
        />
        <TextInput
          label="Description"
          description="What it holds, in a few words; may be empty."
          {...form.getInputProps("description")}
        />
        <Switch
          label="Required"
          description="Nobody can turn it off. For what people must hear: security, invoices."
          {...form.getInputProps("required", { type: "checkbox" })}
        />
        {form.values.required && category?.required === false && (
          <Alert color="orange">
            Who has turned it off hears of it again: what they said does not count.
          </Alert>
        )}
        <Group justify="space-between">
          {category !== undefined && <DeleteCategory category={category} onDone={onDone} />}
          <Group ml="auto">
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
            <Button type="submit" loading={put.isPending}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
