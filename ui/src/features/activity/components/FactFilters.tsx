import { Group, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { FactsFilter } from "@/features/activity/addresses";
import { MomentInput } from "@/kit/MomentInput";

interface Props {
  filter: FactsFilter;
  onChange: (change: Partial<FactsFilter>) => void;
}

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
      <TextInput label="Type" placeholder="order.paid or order.*" w={190} {...typed("type", TYPE)} />
      <TextInput label="Stream type" placeholder="order" w={130} {...typed("streamType", STREAM)} />
      <TextInput label="Stream id" placeholder="7" w={130} {...typed("streamId")} />
      <MomentInput label="From" value={filter.since} onChange={(since) => onChange({ since })} />
      <MomentInput label="Until" value={filter.until} onChange={(until) => onChange({ until })} />
    </Group>
  );
}
