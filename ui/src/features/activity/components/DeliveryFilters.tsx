import { CloseButton, Group, Pill, Select } from "@mantine/core";
import type { DeliveriesFilter } from "@/features/activity/addresses";
import { useProviders } from "@/features/activity/operations/list-names";
import { channels, type Provider } from "@/features/activity/schemas";
import { deliveryStatusWord } from "@/kit/delivery/badges";
import { deliveryStatuses } from "@/kit/delivery/schemas";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { MomentInput } from "@/kit/MomentInput";

interface Props {
  filter: DeliveriesFilter;
  onChange: (change: Partial<DeliveriesFilter>) => void;
}

const HALF = "calc(50% - 6px)";
const STATES = deliveryStatuses.map((value) => ({ value, label: deliveryStatusWord(value) }));

export function DeliveryFilters({ filter, onChange }: Props) {
  const providers = useProviders();
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="State"
        placeholder="All"
        clearable
        data={STATES}
        value={filter.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        w={{ base: HALF, xs: 140 }}
      />
      <Select
        label="Channel"
        placeholder="All"
        clearable
        data={channels}
        value={filter.channel ?? null}
        onChange={(channel) => onChange({ channel: channel ?? undefined })}
        w={{ base: HALF, xs: 140 }}
      />
      <Select
        label="Provider"
        placeholder="All"
        clearable
        data={named(providers.data ?? [])}
        value={filter.provider ?? null}
        onChange={(provider) => onChange({ provider: provider ?? undefined })}
        w={{ base: HALF, xs: 170 }}
      />
      <PersonSelect
        label="Person"
        clearable
        value={filter.personId ?? null}
        onChange={(personId) => onChange({ personId: personId ?? undefined })}
        w={{ base: HALF, xs: 240 }}
      />
      <MomentInput
        label="Since"
        value={filter.since}
        onChange={(since) => onChange({ since })}
        w={{ base: HALF, xs: 190 }}
      />
      {filter.noticeId !== undefined && (
        <Pill size="lg" mb={4}>
          Of one notice
          <CloseButton
            size="xs"
            ml={4}
            aria-label="Of all notices"
            onClick={() => onChange({ noticeId: undefined })}
          />
        </Pill>
      )}
    </Group>
  );
}

function named(providers: readonly Provider[]) {
  return providers.map(({ id, name, channel }) => ({ value: id, label: `${name} · ${channel}` }));
}
