import {
  Group,
  Select,
  Text,
  type ComboboxItem,
  type ComboboxParsedItemGroup,
  type SelectProps,
} from "@mantine/core";
import { offsetOf, zoneGroups, zoneMatches } from "@/kit/zones";

type Props = Omit<SelectProps, "data" | "filter" | "renderOption" | "value"> & { value: string | null };

/** A timezone: the common ones first, and a search over all. */
export function TimezoneSelect({ value, ...rest }: Props) {
  return (
    <Select
      {...rest}
      value={value}
      searchable
      data={zoneGroups(value)}
      maxDropdownHeight={300}
      nothingFoundMessage="No zone of this name. Zones are named after cities."
      filter={({ options, search }) =>
        (options as ComboboxParsedItemGroup[])
          .map((group) => ({ ...group, items: group.items.filter((zone) => matches(zone, search, value)) }))
          .filter(({ items }) => items.length > 0)
      }
      renderOption={({ option }) => (
        <Group justify="space-between" gap="sm" flex={1} wrap="nowrap">
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed" className="numbers">
            {offsetOf(option.value)}
          </Text>
        </Group>
      )}
    />
  );
}

/** The field holds what was chosen until something else is written in it: then all are shown. */
function matches(zone: ComboboxItem, search: string, chosen: string | null): boolean {
  return search === chosen || zoneMatches(zone.value, search);
}
