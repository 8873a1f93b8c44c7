import { Group, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { FactsFilter } from "@/features/activity/addresses";
import { MomentInput } from "@/kit/MomentInput";

interface Props {
  filter: FactsFilter;
  onChange: (change: Partial<FactsFilter>) => void;
}

const HALF = "calc(50% - 6px)";
const TYPE = /^[a-z0-9_.]+\*?$/;
const STREAM = /^[a-z][a-z0-9_]*$/;

export function FactFilters({ filter, onChange }: Props) {
  const later = useDebouncedCallback(onChange, 300);
  const typed = (name: "type" | "streamType" | "streamId", shape?: RegExp) => ({
    defaultValue: filter[name] ?? "",
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const value = currentTarget.value.trim();
      const wrong = value !== "" && shape !== undefined && !shape.test(value);
      currentTarget.setAttribute("aria-invalid", String(wrong));
      if (!wrong) later({ [name]: value || undefined });
    },
  });
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Type"
        placeholder="order.paid or order.*"
        w={{ base: "100%", xs: 190 }}
        {...typed("type", TYPE)}
      />
      <TextInput
        label="Stream type"
        placeholder="order"
        w={{ base: HALF, xs: 130 }}
        {...typed("streamType", STREAM)}
      />
      <TextInput label="Stream id" placeholder="7" w={{ base: HALF, xs: 130 }} {...typed("streamId")} />
      <MomentInput
        label="From"
        value={filter.since}
        onChange={(since) => onChange({ since })}
        w={{ base: HALF, xs: 190 }}
      />
      <MomentInput
        label="Until"
        value={filter.until}
        onChange={(until) => onChange({ until })}
        w={{ base: HALF, xs: 190 }}
      />
    </Group>
  );
}
