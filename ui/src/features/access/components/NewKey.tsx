import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { z } from "zod";
import { ScopesField } from "@/features/access/components/ScopesField";
import type { Scope } from "@/features/access/logic/scopes";
import { useMakeApiKey } from "@/features/access/operations/make-api-key";
import { ShownOnce } from "@/kit/ShownOnce";

const DAY = 86_400_000;
const LASTS = [
  { value: "", label: "Until it is revoked" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
];

interface Wanted {
  name: string;
  days: string;
  scopes: Scope[];
}

const wantedSchema = z.object({
  name: z.string().trim().min(1, "A name, please: what will use it?").max(100, "At most 100 characters."),
  days: z.string(),
  scopes: z.array(z.string()).min(1, "A key that may do nothing is of no use: mark something."),
});

/** Makes a key; its secret is shown once, in the place of the form. */
export function NewKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="New API key"
      size="lg"
    >
      <Making onClose={onClose} />
    </Modal>
  );
}

function Making({ onClose }: { onClose: () => void }) {
  const make = useMakeApiKey();
  const form = useForm<Wanted>({
    initialValues: { name: "", days: "", scopes: ["facts:write"] },
    validate: schemaResolver(wantedSchema, { sync: true }),
  });
  if (make.data !== undefined)
    return (
      <ShownOnce label={`The key “${make.data.name}”`} secret={make.data.secret} onDone={onClose}>
        Nothing will show this key again. Who has it can do what its scopes say: keep it like a password.
        Lost, it is revoked and made anew.
      </ShownOnce>
    );
  const save = ({ name, days, scopes }: Wanted) =>
    make.mutate({ name: name.trim(), scopes, expiresAt: inDays(days) });
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack>
        <Text size="sm" c="dimmed">
          It acts as you, with your role in this tenant, within its scopes.
        </Text>
        <TextInput
          label="Name"
          description="What will use it, so that you know it again."
          placeholder="Booking site"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Select label="Good for" data={LASTS} allowDeselect={false} {...form.getInputProps("days")} />
        <ScopesField
          value={form.values.scopes}
          onChange={(scopes) => form.setFieldValue("scopes", scopes)}
          error={form.errors["scopes"] as string | undefined}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function inDays(days: string): string | null {
  return days === "" ? null : new Date(Date.now() + Number(days) * DAY).toISOString();
}
