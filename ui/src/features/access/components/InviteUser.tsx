import { Alert, Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { z } from "zod";
import { LinkOnce } from "@/features/access/components/LinkOnce";
import { useAddUser } from "@/features/access/operations/add-user";
import { memberRoleSchema, type MemberRole } from "@/features/access/schemas";
import { said } from "@/kit/problem";

interface Wanted {
  email: string;
  name: string;
  role: MemberRole;
}

const wantedSchema = z.object({
  email: z
    .string()
    .trim()
    .regex(/^[^\s@]+@[^\s@]+$/, "An e-mail address, please."),
  name: z.string().trim().max(100, "At most 100 characters."),
  role: memberRoleSchema,
});

/** Gives somebody a place here; the link with which they come in is shown once, in the place of the form. */
export function InviteUser({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Invite somebody"
    >
      <Inviting onClose={onClose} />
    </Modal>
  );
}

function Inviting({ onClose }: { onClose: () => void }) {
  const add = useAddUser();
  const form = useForm<Wanted>({
    initialValues: { email: "", name: "", role: "member" },
    validate: schemaResolver(wantedSchema, { sync: true }),
  });
  const link = add.data?.link ?? null;
  if (link !== null) return <LinkOnce link={link} name={add.data?.name ?? "them"} onDone={onClose} />;
  const save = ({ email, name, role }: Wanted) =>
    add.mutate({ email: email.trim(), name: name.trim() || null, role });
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack>
        {add.error !== null && (
          <Alert color="red" role="alert">
            {said(add.error)}
          </Alert>
        )}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          description="What they sign in as. Nothing is sent there: you hand them the link."
          placeholder="somebody@example.com"
          data-autofocus
          {...form.getInputProps("email")}
        />
        <TextInput
          label="Name"
          description="What they are called here; the address, where it is empty."
          {...form.getInputProps("name")}
        />
        <Radio.Group label="Role" {...form.getInputProps("role")}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="member"
              label="Member"
              description="Emits and reads facts, reads the outbox, sees and sets themselves."
            />
            <Radio
              value="admin"
              label="Admin"
              description="All of this tenant: rules, people, providers, keys and users."
            />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
