import { Anchor, NumberInput, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Draft, Faults } from "@/features/reservations/logic/draft";
import { useEveryAgency } from "@/features/reservations/operations/list-agencies";
import type { Restaurant } from "@/features/reservations/schemas";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { Section } from "@/kit/Section";
import { TimeField } from "@/kit/TimeField";
import { viewersZone } from "@/kit/time";

interface Props {
  draft: Draft;
  faults: Faults;
  restaurants: readonly Restaurant[];
  /** Who asks for themselves has nobody to choose. */
  forSomebody: boolean;
  onChange: (part: Partial<Draft>) => void;
}

const number = (id: string | null) => (id === null ? null : Number(id));
const text = (id: number | null) => (id === null ? null : String(id));

/** Who wants to come, where, how many of them, and when: by the restaurant's clocks. */
export function ReservationForm({ draft, faults, restaurants, forSomebody, onChange }: Props) {
  const there = restaurants.find(({ id }) => id === draft.restaurantId);
  const zone = there?.timezone ?? viewersZone();
  return (
    <Stack>
      <Section title="Who, and where">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Restaurant"
            required
            searchable
            data-autofocus
            placeholder="Choose one"
            data={restaurants.map(({ id, name }) => ({ value: String(id), label: name }))}
            nothingFoundMessage="No such restaurant"
            value={text(draft.restaurantId)}
            error={faults.restaurantId}
            onChange={(id) => onChange({ restaurantId: number(id) })}
          />
          {forSomebody && (
            <PersonSelect
              label="Customer"
              required
              userType="CUSTOMER"
              nothingFoundMessage={<NoCustomer />}
              value={draft.customerId}
              error={faults.customerId}
              onChange={(customerId) => onChange({ customerId })}
            />
          )}
          <Agency draft={draft} faults={faults} onChange={onChange} />
          <NumberInput
            label="How many"
            required
            min={1}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            clampBehavior="none"
            value={draft.partySize}
            error={faults.partySize}
            onChange={(partySize) => onChange({ partySize })}
          />
        </SimpleGrid>
      </Section>
      <Section title="When">
        <TimeField
          label="Time"
          description={
            there === undefined
              ? `By your clock, until there is a restaurant`
              : `By the clocks there, in ${zone}`
          }
          required
          zone={zone}
          value={draft.time}
          error={faults.time}
          onBlur={() => undefined}
          onChange={(time) => onChange({ time })}
        />
        <Textarea
          label="Note"
          description="Those who decide read it; may be empty"
          autosize
          minRows={2}
          maxRows={8}
          value={draft.note}
          error={faults.note}
          onChange={(event) => onChange({ note: event.currentTarget.value })}
        />
      </Section>
    </Stack>
  );
}

function Agency({ draft, faults, onChange }: Pick<Props, "draft" | "faults" | "onChange">) {
  const agencies = useEveryAgency().data ?? [];
  if (agencies.length === 0) return null;
  return (
    <Select
      label="Agency"
      placeholder="None"
      clearable
      searchable
      data={agencies.map(({ id, name }) => ({ value: String(id), label: name }))}
      nothingFoundMessage="No such agency"
      value={text(draft.agencyId)}
      error={faults.agencyId}
      onChange={(id) => onChange({ agencyId: number(id) })}
    />
  );
}

function NoCustomer() {
  return (
    <Text size="sm" component="span">
      Nobody of the type <b>CUSTOMER</b> by that name, e-mail or external id.{" "}
      <Anchor component={Link} to="/settings/people" size="sm" underline="always">
        Add them under People
      </Anchor>
      .
    </Text>
  );
}
