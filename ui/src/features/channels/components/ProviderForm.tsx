import { Alert, Button, List, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { ConfigFields } from "@/features/channels/components/ConfigFields";
import { inputWrapperOrder } from "@/features/channels/components/described";
import { Limits } from "@/features/channels/components/Limits";
import type { Draft } from "@/features/channels/logic/draft";
import { elsewhereIn, type Faults } from "@/features/channels/logic/faults";
import { aboutIn, type ConfigField } from "@/features/channels/logic/fields";
import type { ProviderType } from "@/features/channels/schemas";
import { Panel } from "@/kit/Panel";

interface Props {
  type: ProviderType;
  fields: readonly ConfigField[];
  draft: Draft;
  stored?: Record<string, unknown>;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
  /** Who sets one up for the first time need not see the limits. */
  isBrief?: boolean;
}

const OURS = ["name", "priority", "concurrency", "rate", "rate.count", "rate.period"];
const LATER = ["onUnknown", "maxAttempts", "expiresAfter"];

/** A provider as a form: how it is called, what its type has to be told, and its limits. */
export function ProviderForm({ type, fields, draft, stored = {}, faults, onChange, isBrief = false }: Props) {
  const [opened, { toggle }] = useDisclosure(!isBrief);
  const shown = [...OURS, ...LATER, ...fields.map(({ name }) => `config.${name}`)];
  const others = elsewhereIn(faults, shown);
  return (
    <Stack>
      {others.length > 0 && (
        <Alert color="red" role="alert" title="It cannot be saved like this">
          <List size="sm">
            {others.map((each) => (
              <List.Item key={each}>{each}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Part title="Settings" about={fields.length === 0 ? aboutIn(type.config) : undefined}>
        <TextInput
          label="Name"
          description="As it is called in the records"
          inputWrapperOrder={inputWrapperOrder}
          required
          value={draft.name}
          error={faults.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <ConfigFields
          fields={fields}
          values={draft.config}
          stored={stored}
          faults={faults}
          onChange={(name, value) => onChange({ config: { ...draft.config, [name]: value } })}
        />
      </Part>
      {isBrief && (
        <div>
          <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={opened}>
            {opened ? "Less" : "Limits and order"}
          </Button>
        </div>
      )}
      {opened && (
        <Part title="Limits" about="Left empty, nothing holds it back.">
          <Limits draft={draft} faults={faults} onUnknown={type.onUnknown} onChange={onChange} />
        </Part>
      )}
    </Stack>
  );
}

function Part({
  title,
  about,
  children,
}: {
  title: string;
  about?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Panel p="md">
      <Stack gap="md">
        <Stack gap={2}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {about !== undefined && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Panel>
  );
}
