import { Group, Select } from "@mantine/core";
import type { SandboxFilter } from "@/features/sandbox/schemas";
import { channels, channelWords } from "@/kit/channels";
import { PersonSelect } from "@/kit/choose/PersonSelect";

interface Props {
  filter: SandboxFilter;
  onChange: (change: Partial<SandboxFilter>) => void;
}

const CHANNELS = channels
  .filter((channel) => channel !== "websocket")
  .map((value) => ({ value, label: channelWords[value] }));

export function Filters({ filter, onChange }: Props) {
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="Channel"
        placeholder="All"
        clearable
        data={CHANNELS}
        value={filter.channel ?? null}
        onChange={(channel) => onChange({ channel: channel ?? undefined })}
        w={150}
      />
      <PersonSelect
        label="Person"
        placeholder="Everybody"
        clearable
        value={filter.personId ?? null}
        onChange={(personId) => onChange({ personId: personId ?? undefined })}
        w={260}
      />
    </Group>
  );
}
