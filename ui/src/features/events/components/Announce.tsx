import {
  Alert,
  Button,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { IconSpeakerphone } from "@tabler/icons-react";
import { z } from "zod";
import { useAnnounce } from "@/features/events/operations/announce";
import { useEverySubscriber } from "@/features/events/operations/list-subscribers";
import { levels, type Level, type TidingsEvent } from "@/features/events/schemas";
import { Problem, said } from "@/kit/problem";
import { showRefusal } from "@/kit/refused";
import { amountOf } from "@/kit/words";

interface Draft {
  title: string;
  body: string;
  level: Level;
  to: "all" | "chosen";
  chosen: string[];
}

const draftSchema = z
  .object({
    title: z.string().trim().min(1, "What is it about?").max(200, "At most 200 characters."),
    body: z.string().trim().min(1, "What do you want to say?").max(10_000, "At most 10,000 characters."),
    to: z.string(),
    chosen: z.array(z.string()),
  })
  .refine(({ to, chosen }) => to === "all" || chosen.length > 0, {
    path: ["chosen"],
    error: "Choose somebody, or tell all.",
  });

interface Props {
  event: TidingsEvent;
  opened: boolean;
  onClose: () => void;
  onAnnounced: () => void;
}

/** Says something to those who have joined, or to some of them. */
export function Announce({ event, opened, onClose, onAnnounced }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Announce to ${event.name}`} size="lg">
      <Writing event={event} onClose={onClose} onAnnounced={onAnnounced} />
    </Modal>
  );
}

function Writing({ event, onClose, onAnnounced }: Omit<Props, "opened">) {
  const announce = useAnnounce(event.id);
  const form = useForm<Draft>({
    initialValues: { title: "", body: "", level: "info", to: "all", chosen: [] },
    validate: schemaResolver(draftSchema, { sync: true }),
  });
  const { to, chosen } = form.values;
  const send = ({ title, body, level, to: whom, chosen: ids }: Draft) =>
    announce.mutate(
      {
        title: title.trim(),
        body: body.trim(),
        level,
        ...(whom === "chosen" ? { subscriptionIds: ids.map(Number) } : {}),
      },
      {
        onSuccess: () => {
          onAnnounced();
          onClose();
        },
        onError: (error) => {
          if (error instanceof Problem && Object.keys(error.fields).length > 0)
            showRefusal(error, (faults) => form.setErrors({ ...faults, chosen: faults.subscriptionIds }));
        },
      },
    );
  const refusal = announce.error instanceof Problem && Object.keys(announce.error.fields).length > 0;
  const many = to === "all" ? event.subscribers : chosen.length;
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack>
        <TextInput label="Title" required data-autofocus {...form.getInputProps("title")} />
        <Textarea
          label="What you say"
          required
          autosize
          minRows={4}
          maxRows={14}
          {...form.getInputProps("body")}
        />
        <Group gap="xl">
          <Choice label="Level">
            <SegmentedControl<Level>
              aria-label="Level"
              data={levels.map((level) => ({ value: level, label: level }))}
              {...form.getInputProps("level")}
            />
          </Choice>
          <Choice label="To">
            <SegmentedControl<"all" | "chosen">
              aria-label="To"
              data={[
                { value: "all", label: "all subscribers" },
                { value: "chosen", label: "some of them" },
              ]}
              {...form.getInputProps("to")}
            />
          </Choice>
        </Group>
        {to === "chosen" && (
          <Chosen
            eventId={event.id}
            value={chosen}
            error={form.errors["chosen"] as string | undefined}
            onChange={(ids) => form.setFieldValue("chosen", ids)}
          />
        )}
        {announce.error !== null && !refusal && (
          <Alert color="red" role="alert">
            {said(announce.error)}
          </Alert>
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {many === 0 ? "Nobody would be told yet." : `${amountOf(many, "person is", "people are")} told.`}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" leftSection={<IconSpeakerphone size={16} />} loading={announce.isPending}>
              Announce
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} aria-hidden>
        {label}
      </Text>
      {children}
    </Stack>
  );
}

interface ChosenProps {
  eventId: number;
  value: string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

function Chosen({ eventId, value, error, onChange }: ChosenProps) {
  const subscribers = useEverySubscriber(eventId);
  return (
    <MultiSelect
      label="Whom"
      searchable
      clearable
      hidePickedOptions
      placeholder={value.length === 0 ? "Names of subscribers" : ""}
      data={(subscribers.data ?? []).map(({ id, person }) => ({ value: String(id), label: person }))}
      nothingFoundMessage={subscribers.isPending ? "Loading…" : "No subscriber of that name"}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
