import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { takenIn } from "@/features/people/logic/taken";
import { useCreatePerson, type NewPerson as Draft } from "@/features/people/operations/create-person";
import { isLocale } from "@/kit/locales";
import { LocaleInput } from "@/kit/LocaleInput";
import { showRefusal } from "@/kit/refused";
import { TimezoneSelect } from "@/kit/TimezoneSelect";
import { useMay } from "@/session/session";

const NOBODY: Draft = {
  name: "",
  externalId: "",
  userType: "",
  email: "",
  phone: "",
  locale: "",
  timezone: "",
};

export function NewPerson() {
  const may = useMay("admin");
  const [opened, { open, close }] = useDisclosure();
  if (!may) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        New person
      </Button>
      <Modal opened={opened} onClose={close} title="New person" size="lg">
        <Form />
      </Modal>
    </>
  );
}

/** A name is enough; everything else can come later. */
function Form() {
  const navigate = useNavigate();
  const create = useCreatePerson();
  const form = useForm<Draft>({
    initialValues: NOBODY,
    validate: {
      name: (name) => (name.trim() === "" ? "What are they called?" : null),
      locale: (locale) => (locale === "" || isLocale(locale) ? null : "A language tag, such as it or pt-BR."),
    },
  });
  const save = (wanted: Draft) =>
    create.mutate(wanted, {
      onSuccess: ({ id }) => void navigate({ to: "/settings/people", search: { person: id } }),
      onError: (error) => showRefusal(takenIn(error), form.setErrors),
    });
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack>
        <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="E-mail"
            type="email"
            placeholder="somebody@example.com"
            {...form.getInputProps("email")}
          />
          <TextInput label="Phone" type="tel" placeholder="+390612345678" {...form.getInputProps("phone")} />
          <TextInput
            label="External id"
            description="Your own id for them"
            {...form.getInputProps("externalId")}
          />
          <TextInput
            label="Type"
            description="Rules can tell all of one type"
            placeholder="guest, owner…"
            {...form.getInputProps("userType")}
          />
          <LocaleInput label="Language" placeholder="The tenant's" {...form.getInputProps("locale")} />
          <TimezoneSelect
            label="Timezone"
            placeholder="None"
            clearable
            value={form.values.timezone || null}
            onChange={(zone) => form.setFieldValue("timezone", zone ?? "")}
            error={form.errors["timezone"]}
          />
        </SimpleGrid>
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
