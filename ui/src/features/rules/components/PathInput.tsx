import { Autocomplete, Group, Text, type AutocompleteProps } from "@mantine/core";
import type { KnownPath } from "@/features/rules/logic/paths";

type Props = Omit<AutocompleteProps, "data" | "renderOption"> & { known: readonly KnownPath[] };

/** A path into the data of a fact, with those of recent facts to choose from. */
export function PathInput({ known, ...rest }: Props) {
  const samples = new Map(known.map(({ path, sample }) => [path, sample]));
  return (
    <Autocomplete
      placeholder="order.total"
      {...rest}
      data={known.map(({ path }) => path)}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" w="100%">
          <Text size="sm">{option.value}</Text>
          <Text size="xs" c="dimmed" truncate maw={140}>
            {String(samples.get(option.value))}
          </Text>
        </Group>
      )}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
    />
  );
}
