import {
  Autocomplete,
  Button,
  Collapse,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Input,
  Switch,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { ChannelsField } from "@/features/rules/components/ChannelsField";
import { ConditionGroup } from "@/features/rules/components/ConditionGroup";
import { Section } from "@/kit/Section";
import { SelectorRow } from "@/features/rules/components/SelectorRow";
import { Words } from "@/features/rules/components/Words";
import { newSelector, type Draft } from "@/features/rules/logic/draft";
import { at, within, type Faults } from "@/features/rules/logic/faults";
import type { KnownPath } from "@/features/rules/logic/paths";
import { delayInWords } from "@/features/rules/logic/words";
import { useCategoryIds, useTemplateNames } from "@/features/rules/operations/list-names";
import { levels } from "@/features/rules/schemas";
import { useRecentFacts } from "@/kit/choose/recent-facts";
import { JsonField } from "@/kit/JsonField";

interface Props {
  draft: Draft;
  faults: Faults;
  known: readonly KnownPath[];
  onChange: (part: Partial<Draft>) => void;
}

/** A rule as a form that reads from top to bottom: when, who, what, how. */
export function RuleForm(props: Props) {
  return (
    <Stack>
      <Naming {...props} />
      <WhenSection {...props} />
      <WhoSection {...props} />
      <WhatSection {...props} />
      <HowSection {...props} />
    </Stack>
  );
}

function Naming({ draft, faults, onChange }: Props) {
  return (
    <TextInput
      label="Name"
      placeholder="Large orders"
      value={draft.name}
      onChange={(event) => onChange({ name: event.currentTarget.value })}
      error={at(faults, "name")}
    />
  );
}

function WhenSection({ draft, faults, known, onChange }: Props) {
  const recent = useRecentFacts(undefined, 100);
  const types = [...new Set((recent.data ?? []).map((fact) => fact.type))].sort();
  return (
    <Section title="When" about="Of which facts, and on which conditions on their data.">
      <Autocomplete
        label="Fact type"
        description="A type, or the beginning of several with a star: order.*"
        placeholder="order.paid"
        data={types}
        value={draft.factType}
        onChange={(factType) => onChange({ factType })}
        error={at(faults, "factType")}
      />
      <ConditionGroup
        group={draft.conditions}
        path="conditions"
        faults={faults}
        known={known}
        onChange={(conditions) => onChange({ conditions })}
      />
    </Section>
  );
}

function WhoSection({ draft, faults, known, onChange }: Props) {
  const { audience } = draft;
  return (
    <Section title="Who" about="Whoever is in one of these is told, once.">
      {audience.map((selector, n) => (
        <SelectorRow
          key={selector.id}
          selector={selector}
          path={`audience.${n}`}
          faults={faults}
          known={known}
          onChange={(next) =>
            onChange({ audience: audience.map((each) => (each.id === next.id ? next : each)) })
          }
          onRemove={
            audience.length > 1
              ? () => onChange({ audience: audience.filter((each) => each.id !== selector.id) })
              : undefined
          }
        />
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ audience: [...audience, newSelector("group")] })}
        >
          Add more people
        </Button>
      </div>
    </Section>
  );
}

function WhatSection({ draft, faults, known, onChange }: Props) {
  return (
    <Section
      title="What"
      about="What is said, once for everybody. {{ data.… }} stands for the fact's values."
    >
      <Words
        title={draft.title}
        body={draft.body}
        faults={{ title: at(faults, "title"), body: at(faults, "body") }}
        known={known}
        onChange={onChange}
      />
    </Section>
  );
}

const DELAYS = ["5m", "15m", "1h", "1d", "7d"];

function HowSection({ draft, faults, onChange }: Props) {
  const [opened, { toggle }] = useDisclosure(
    draft.shared || draft.template !== "notice" || Object.keys(draft.properties).length > 0,
  );
  return (
    <Section title="How" about="Over which channels, when, and how urgent it is.">
      <ChannelsField
        value={draft.channels}
        error={within(faults, "channels")}
        onChange={(channels) => onChange({ channels })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Input.Wrapper label="Level" description="What is critical passes through quiet hours">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label="Level"
            data={[...levels]}
            value={draft.level}
            onChange={(level) => onChange({ level })}
          />
        </Input.Wrapper>
        <Autocomplete
          label="Delay"
          description="After the fact, such as 30s, 15m, 2h or 7d"
          placeholder="at once"
          data={DELAYS}
          renderOption={({ option }) => delayInWords(option.value)}
          filter={({ options }) => options}
          value={draft.delay}
          onChange={(delay) => onChange({ delay })}
          error={at(faults, "delay")}
        />
      </SimpleGrid>
      <div>
        <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={opened}>
          {opened ? "Less" : "More: category, template, shared, properties"}
        </Button>
      </div>
      <Collapse expanded={opened}>
        <More draft={draft} faults={faults} onChange={onChange} />
      </Collapse>
    </Section>
  );
}

function More({ draft, faults, onChange }: Omit<Props, "known">) {
  const categories = useCategoryIds();
  const templates = useTemplateNames();
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Autocomplete
          label="Category"
          description="What people can turn off"
          data={categories.data ?? []}
          value={draft.category}
          onChange={(category) => onChange({ category })}
          error={at(faults, "category")}
        />
        <Autocomplete
          label="Template"
          description="What dresses the words for each channel"
          data={templates.data ?? []}
          value={draft.template}
          onChange={(template) => onChange({ template })}
          error={at(faults, "template")}
        />
      </SimpleGrid>
      <Switch
        label="One matter for all who are told"
        description="One of them takes it, and the others see that it is taken."
        checked={draft.shared}
        onChange={(event) => onChange({ shared: event.currentTarget.checked })}
      />
      <JsonField
        label="Properties"
        description="For templates and programs; the fact's data comes over them"
        rows={4}
        value={draft.properties}
        onChange={(properties) => onChange({ properties })}
        error={within(faults, "properties")}
      />
    </Stack>
  );
}
