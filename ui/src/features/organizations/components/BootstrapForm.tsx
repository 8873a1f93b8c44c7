import { NumberInput, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { ParentSelect } from "@/features/organizations/components/ParentSelect";
import { SubdomainField } from "@/features/organizations/components/SubdomainField";
import { UserRows } from "@/features/organizations/components/UserRows";
import { subdomainFrom, type Draft, type Faults } from "@/features/organizations/logic/draft";
import { typeWords } from "@/features/organizations/logic/words";
import type { Standing } from "@/features/organizations/operations/use-subdomain-standing";
import { types, type OrganizationType } from "@/features/organizations/schemas";
import { Section } from "@/kit/Section";

interface Props {
  draft: Draft;
  /** What is wrong with it now. It is shown where somebody has been, or has tried to send it. */
  faults: Faults;
  /** What the server found. */
  refused: Faults;
  showAll: boolean;
  domain: string;
  standing: Standing;
  onChange: (part: Partial<Draft>) => void;
}

/** What it is, where it is reached, and who is invited. */
export function BootstrapForm(props: Props) {
  const { draft, faults, refused, showAll, onChange } = props;
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  /** What is left empty is asked for on sending: words that appear under the pointer would take its click away. */
  const visit = (field: string, value: string) => () => {
    if (value !== "") setVisited((now) => new Set(now).add(field));
  };
  const at = (field: string) => (showAll || visited.has(field) ? faults[field] : undefined) ?? refused[field];
  return (
    <Stack>
      <Organisation {...props} at={at} visit={visit} />
      <Section
        title="Who is invited"
        about="Each of them gets a mail with a link, good for a while. At least one is a provider admin."
      >
        <UserRows
          users={draft.users}
          at={(field) => (field === "users" ? (faults[field] ?? refused[field]) : at(field))}
          visit={visit}
          onChange={(users) => onChange({ users })}
        />
      </Section>
      <Section
        title="How long DNS may take"
        about="When it cannot be seen by then, everything is taken back."
      >
        <NumberInput
          label="Minutes"
          description="30 usually do; 45 at most"
          required
          maw={220}
          min={1}
          max={45}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          value={draft.dnsMinutes}
          error={faults["dnsPropagationTimeoutSeconds"] ?? refused["dnsPropagationTimeoutSeconds"]}
          onChange={(dnsMinutes) => onChange({ dnsMinutes })}
        />
      </Section>
    </Stack>
  );
}

interface At {
  at: (field: string) => string | undefined;
  visit: (field: string, value: string) => () => void;
}

function Organisation({ draft, faults, refused, domain, standing, at, visit, onChange }: Props & At) {
  const rename = (name: string) => {
    const follows = draft.subdomain === subdomainFrom(draft.name);
    onChange({ name, ...(follows ? { subdomain: subdomainFrom(name) } : {}) });
  };
  return (
    <Section title="The organisation">
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        error={at("name")}
        onBlur={visit("name", draft.name)}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap={4} align="flex-start">
          <Text size="sm" fw={500} aria-hidden>
            Type
          </Text>
          <SegmentedControl<OrganizationType>
            aria-label="Type"
            data={types.map((value) => ({ value, label: typeWords[value] }))}
            value={draft.type}
            onChange={(type) => onChange({ type, parentId: null })}
          />
          <Text size="sm" c="dimmed">
            {draft.type === "provider" ? "It stands at the top." : "It stands below its parent."}
          </Text>
        </Stack>
        {draft.type === "partner" && (
          <ParentSelect
            value={draft.parentId}
            error={at("parentId")}
            onChange={(parentId) => onChange({ parentId })}
          />
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <SubdomainField
          value={draft.subdomain}
          domain={domain}
          standing={standing}
          error={(draft.subdomain === "" ? at("subdomain") : faults["subdomain"]) ?? refused["subdomain"]}
          onBlur={visit("subdomain", draft.subdomain)}
          onChange={(subdomain) => onChange({ subdomain })}
        />
        <TextInput
          label="Contact e-mail"
          type="email"
          required
          autoComplete="off"
          value={draft.contactEmail}
          error={at("contactEmail")}
          onBlur={visit("contactEmail", draft.contactEmail)}
          onChange={(event) => onChange({ contactEmail: event.currentTarget.value })}
        />
      </SimpleGrid>
    </Section>
  );
}
