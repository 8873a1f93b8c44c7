import { Group, Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconMailOff } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { NewSuppression } from "@/features/people/components/NewSuppression";
import { PeopleHead } from "@/features/people/components/PeopleHead";
import { REASONS, SuppressionList } from "@/features/people/components/SuppressionList";
import { kindOptions } from "@/features/people/logic/kinds";
import { useSuppressions } from "@/features/people/operations/list-suppressions";
import { reasons } from "@/features/people/schemas";
import type { SuppressionsFilter } from "@/features/people/searches";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/settings/suppressions");

/** Addresses that nothing is sent to, whoever they belong to. */
export function SuppressionsPage() {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: "/settings/suppressions" });
  const suppressions = useSuppressions(filter);
  const narrow = (change: Partial<SuppressionsFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const { cursor, ...wanted } = filter;
  const narrowed = Object.values(wanted).some((value) => value !== undefined);
  return (
    <>
      <PeopleHead tab="/settings/suppressions">
        <NewSuppression />
      </PeopleHead>
      <Stack>
        {(narrowed || (suppressions.data?.data.length ?? 0) > 0) && (
          <Filters filter={filter} onChange={narrow} />
        )}
        <Panel>
          <Asked query={suppressions}>
            {(page) =>
              page.data.length === 0 ? (
                <Empty icon={IconMailOff} title={narrowed ? "None like this" : "Nothing is suppressed"}>
                  {narrowed
                    ? "An address is found by the whole of it. One that is not here is sent to."
                    : "What a provider reports as bounced or complained of comes here by itself; you can add addresses that must not be written to."}
                </Empty>
              ) : (
                <>
                  <SuppressionList suppressions={page.data} />
                  <Pager page={page} cursor={cursor} onTurn={(to) => narrow({ cursor: to })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

interface FiltersProps {
  filter: SuppressionsFilter;
  onChange: (change: Partial<SuppressionsFilter>) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const later = useDebouncedCallback(onChange, 300);
  const half = "calc(50% - 6px)";
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Address"
        placeholder="The whole address"
        defaultValue={filter.value ?? ""}
        onChange={(event) => later({ value: event.currentTarget.value.trim() || undefined })}
        w={{ base: "100%", xs: 260 }}
      />
      <Select
        label="Kind"
        placeholder="All"
        clearable
        data={kindOptions}
        value={filter.kind ?? null}
        onChange={(kind) => onChange({ kind: kind ?? undefined })}
        w={{ base: half, xs: 150 }}
      />
      <Select
        label="Reason"
        placeholder="All"
        clearable
        data={reasons.map((reason) => ({ value: reason, label: REASONS[reason].says }))}
        value={filter.reason ?? null}
        onChange={(reason) => onChange({ reason: reason ?? undefined })}
        w={{ base: half, xs: 150 }}
      />
    </Group>
  );
}
