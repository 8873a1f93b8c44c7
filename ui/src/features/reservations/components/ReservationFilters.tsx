import { Group, Select } from "@mantine/core";
import { statusWords } from "@/features/reservations/logic/words";
import { useEveryRestaurant } from "@/features/reservations/operations/list-restaurants";
import { statuses, type ReservationsFilter } from "@/features/reservations/searches";
import { MomentInput } from "@/kit/MomentInput";

interface Props {
  filter: ReservationsFilter;
  onChange: (change: Partial<ReservationsFilter>) => void;
}

const HALF = "calc(50% - 6px)";

export function ReservationFilters({ filter, onChange }: Props) {
  const restaurants = useEveryRestaurant().data ?? [];
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="State"
        placeholder="Any"
        clearable
        data={statuses.map((value) => ({ value, label: statusWords[value] }))}
        value={filter.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        w={{ base: HALF, xs: 180 }}
      />
      <Select
        label="Restaurant"
        placeholder="All"
        clearable
        searchable
        data={restaurants.map(({ id, name }) => ({ value: String(id), label: name }))}
        nothingFoundMessage="No such restaurant"
        value={filter.restaurant === undefined ? null : String(filter.restaurant)}
        onChange={(id) => onChange({ restaurant: id === null ? undefined : Number(id) })}
        w={{ base: HALF, xs: 190 }}
      />
      <MomentInput
        label="From"
        value={filter.since}
        onChange={(since) => onChange({ since })}
        w={{ base: HALF, xs: 180 }}
      />
      <MomentInput
        label="Until"
        value={filter.until}
        onChange={(until) => onChange({ until })}
        w={{ base: HALF, xs: 180 }}
      />
    </Group>
  );
}
