import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { kindOptions, kindWords } from "@/features/people/logic/kinds";
import { useSuppress, type NewSuppression as Draft } from "@/features/people/operations/suppress-address";
import { showRefusal } from "@/kit/refused";
import { useMay } from "@/session/session";

export function NewSuppression() {
  const may = useMay("admin");
  const [opened, { open, close }] = useDisclosure();
  if (!may) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Suppress an address
      </Button>
      <Modal opened={opened} onClose={close} title="Suppress an address">
        <Form onDone={close} />
      </Modal>
    </>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const suppress = useSuppress();
  const form = useForm<Draft>({
    initialValues: { kind: "email", value: "", detail: "" },
    validate: { value: (value) => (value.trim() === "" ? "Which address?" : null) },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((wanted) =>
        suppress.mutate(wanted, {
          onSuccess: onDone,
          onError: (error) => showRefusal(error, form.setErrors),
        }),
      )}
    >
      <Stack>
        <Select label="Kind" data={kindOptions} allowDeselect={false} {...form.getInputProps("kind")} />
        <TextInput
          label="Address"
          description="In full. Nothing is sent there, whoever it belongs to."
          placeholder={kindWords[form.values.kind].example}
          required
          data-autofocus
          {...form.getInputProps("value")}
        />
        <TextInput label="Why" placeholder="asked by phone" {...form.getInputProps("detail")} />
        <Group justify="flex-end">
          <Button type="submit" loading={suppress.isPending}>
            Suppress it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
