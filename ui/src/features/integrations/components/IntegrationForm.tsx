import { Alert, Button, Group, Modal, PasswordInput, Stack, TagsInput, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { z } from "zod";
import { useSaveIntegration, type Draft } from "@/features/integrations/operations/save-integration";
import type { Integration } from "@/features/integrations/schemas";
import { isStatus, Problem, said } from "@/kit/problem";
import { showRefusal } from "@/kit/refused";

interface Props {
  opened: boolean;
  /** None for a new one. */
  integration?: Integration;
  onClose: () => void;
}

/** A name, an Apprise URL that is never shown again, and tags that it can be chosen by. */
export function IntegrationForm({ opened, integration, onClose }: Props) {
  const title = integration === undefined ? "New integration" : `Change ${integration.name}`;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <Form onClose={onClose} {...(integration === undefined ? {} : { integration })} />
    </Modal>
  );
}

const TAG = /^[a-z0-9][a-z0-9_.:-]{0,49}$/i;

const draftSchema = (isNew: boolean) =>
  z.object({
    name: z.string().trim().min(1, "What do you call it?").max(100, "At most 100 characters."),
    url: z
      .string()
      .trim()
      .min(isNew ? 1 : 0, "Where does it lead? An Apprise URL, such as discord://…"),
    tags: z
      .array(z.string())
      .max(20, "At most 20 tags.")
      .refine((tags) => tags.every((tag) => TAG.test(tag)), {
        error: "Letters, digits and _ . : - only, without spaces.",
      }),
  });

function Form({ integration, onClose }: Omit<Props, "opened">) {
  const save = useSaveIntegration();
  const isNew = integration === undefined;
  const form = useForm<Draft>({
    initialValues: { name: integration?.name ?? "", url: "", tags: integration?.tags ?? [] },
    validate: schemaResolver(draftSchema(isNew), { sync: true }),
  });
  const submit = (draft: Draft) =>
    save.mutate(
      { id: integration?.id, draft },
      { onSuccess: onClose, onError: (error) => showAt(error, form.setErrors) },
    );
  const elsewhere = save.error !== null && !hasField(save.error);
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label="Name"
          description="Yours alone: nobody else sees it"
          placeholder="My phone"
          required
          data-autofocus
          {...form.getInputProps("name")}
        />
        <PasswordInput
          label="Apprise URL"
          description={
            isNew
              ? "Where it leads, with what it takes to get in. It is kept encrypted and never shown again."
              : "Left empty, the one that is stored stays."
          }
          placeholder={isNew ? "tgram://token/chat" : "Stored; type to replace"}
          required={isNew}
          autoComplete="new-password"
          spellCheck={false}
          {...form.getInputProps("url")}
        />
        <TagsInput
          label="Tags"
          description="So that several can be chosen at once: urgent, home…"
          placeholder={form.values.tags.length === 0 ? "Type one, and press Enter" : ""}
          {...form.getInputProps("tags")}
        />
        {elsewhere && (
          <Alert color="red" role="alert">
            {said(save.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {isNew ? "Add" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function hasField(error: unknown): boolean {
  return error instanceof Problem && Object.keys(error.fields).length > 0;
}

/** `tags.0` is a matter of the tags. */
function showAt(error: unknown, set: (faults: Record<string, string>) => void): void {
  if (!hasField(error) || isStatus(error, 409)) return;
  showRefusal(error, (faults) =>
    set(
      Object.fromEntries(
        Object.entries(faults).map(([field, words]) => [field.split(".")[0] ?? field, words]),
      ),
    ),
  );
}
