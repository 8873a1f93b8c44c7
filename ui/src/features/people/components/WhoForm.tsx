import { Button, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { takenIn } from "@/features/people/logic/taken";
import { useChangePerson } from "@/features/people/operations/change-person";
import { useUsers } from "@/features/people/operations/list-users";
import type { Person } from "@/features/people/schemas";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { showRefusal } from "@/kit/refused";

interface Draft {
  name: string;
  externalId: string;
  userType: string;
  userId: string | null;
}

/** What somebody is called, by us and by you, and which login is theirs. */
export function WhoForm({ person }: { person: Person }) {
  const change = useChangePerson(person.id);
  const form = useForm<Draft>({
    initialValues: {
      name: person.name,
      externalId: person.externalId ?? "",
      userType: person.userType ?? "",
      userId: person.userId,
    },
    validate: { name: (name) => (name.trim() === "" ? "What are they called?" : null) },
  });
  const save = (wanted: Draft) =>
    change.mutate(
      {
        name: wanted.name.trim(),
        externalId: wanted.externalId.trim() || null,
        userType: wanted.userType.trim() || null,
        userId: wanted.userId,
      },
      {
        onSuccess: () => form.resetDirty(wanted),
        onError: (error) => showRefusal(takenIn(error), form.setErrors),
      },
    );
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <LeaveGuard unsaved={form.isDirty()} />
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          <LoginSelect {...form.getInputProps("userId")} />
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
        </SimpleGrid>
        <Group justify="flex-end">
          {form.isDirty() && (
            <Button variant="default" onClick={form.reset}>
              Undo
            </Button>
          )}
          <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type LoginProps = ReturnType<ReturnType<typeof useForm<Draft>>["getInputProps"]>;

function LoginSelect(props: LoginProps) {
  const users = useUsers();
  return (
    <Select
      label="Login"
      placeholder="None"
      clearable
      searchable
      nothingFoundMessage="No such user in this tenant"
      data={(users.data ?? []).map(({ id, name, email }) => ({
        value: id,
        label: name === email ? email : `${name} (${email})`,
      }))}
      {...props}
    />
  );
}
