import { Button, Group as Row, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { idFrom } from "@/features/people/logic/ids";
import { takenIn } from "@/features/people/logic/taken";
import { useSaveGroup, type GroupDraft } from "@/features/people/operations/save-group";
import type { Group } from "@/features/people/schemas";
import { showRefusal } from "@/kit/refused";

interface Props {
  /** None: a new one. */
  group?: Group;
  onSaved?: (group: Group) => void;
}

export function GroupForm({ group, onSaved }: Props) {
  const save = useSaveGroup(group?.id);
  const form = useForm<GroupDraft>({
    initialValues: {
      name: group?.name ?? "",
      externalId: group?.externalId ?? "",
      type: group?.type ?? "",
    },
    validate: {
      name: (name) => (name.trim() === "" ? "What is it called?" : null),
      externalId: (id) => (id.trim() === "" ? "Rules and files name it by this id." : null),
    },
  });
  const rename = (name: string) => {
    const follows = group === undefined && form.values.externalId === idFrom(form.values.name);
    form.setFieldValue("name", name);
    if (follows) form.setFieldValue("externalId", idFrom(name));
  };
  const submit = (draft: GroupDraft) =>
    save.mutate(draft, {
      onSuccess: (saved) => {
        form.resetDirty(draft);
        onSaved?.(saved);
      },
      onError: (error) => showRefusal(takenIn(error), form.setErrors),
    });
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          data-autofocus
          {...form.getInputProps("name")}
          onChange={(event) => rename(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="External id"
            description="Your own id for it; rules name it"
            required
            placeholder="kitchen"
            {...form.getInputProps("externalId")}
          />
          <TextInput
            label="Type"
            description="What kind of group it is"
            placeholder="restaurant, team…"
            {...form.getInputProps("type")}
          />
        </SimpleGrid>
        <Row justify="flex-end">
          {group !== undefined && form.isDirty() && (
            <Button variant="default" onClick={form.reset}>
              Undo
            </Button>
          )}
          <Button type="submit" loading={save.isPending} disabled={group !== undefined && !form.isDirty()}>
            {group === undefined ? "Create" : "Save"}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
