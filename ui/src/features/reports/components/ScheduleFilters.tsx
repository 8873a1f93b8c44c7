import { Group, SegmentedControl, Select } from "@mantine/core";
import { scheduleStatuses, type SchedulesFilter } from "@/features/reports/searches";
import { useMay } from "@/session/session";

interface Props {
  filter: SchedulesFilter;
  onChange: (change: Partial<SchedulesFilter>) => void;
}

export function ScheduleFilters({ filter, onChange }: Props) {
  const admin = useMay("admin");
  return (
    <Group gap="sm">
      {admin && (
        <SegmentedControl<"me" | "all">
          aria-label="Whose"
          value={filter.owner ?? "me"}
          onChange={(owner) => onChange({ owner: owner === "all" ? owner : undefined })}
          data={[
            { value: "me", label: "Mine" },
            { value: "all", label: "All" },
          ]}
        />
      )}
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        w={150}
        data={scheduleStatuses}
        value={filter.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
      />
    </Group>
  );
}
