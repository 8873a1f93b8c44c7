import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconRoute } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { RuleList } from "@/features/rules/components/RuleList";
import { useRules } from "@/features/rules/operations/list-rules";
import type { RulesFilter } from "@/features/rules/schemas";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/rules");

/** Of which facts who is told what, over which channels. */
export function RulesPage() {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: "/rules" });
  const rules = useRules(filter);
  const narrow = (change: Partial<RulesFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const narrowed = filter.factType !== undefined || filter.enabled !== undefined;
  return (
    <>
      <PageHead title="Rules" about="Of which facts who is told what, over which channels.">
        <NewRule />
      </PageHead>
      <Stack>
        {(narrowed || (rules.data?.data.length ?? 0) > 0) && <Filters filter={filter} onChange={narrow} />}
        <Panel>
          <Asked query={rules}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing narrowed={narrowed} />
              ) : (
                <>
                  <RuleList rules={page.data} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

function NewRule() {
  const may = useMay("admin");
  if (!may) return null;
  return (
    <Button component={Link} to="/rules/new" leftSection={<IconPlus size={16} />}>
      New rule
    </Button>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed)
    return (
      <Empty icon={IconRoute} title="No such rule">
        None matches. Take a filter away to see the others.
      </Empty>
    );
  return (
    <Empty icon={IconRoute} title="No rules yet" action={<NewRule />}>
      A rule says whom to tell of a fact. While you write one you see whom it would have told of the facts
      that are there, and nothing is sent.
    </Empty>
  );
}

function Filters({
  filter,
  onChange,
}: {
  filter: RulesFilter;
  onChange: (change: Partial<RulesFilter>) => void;
}) {
  const later = useDebouncedCallback(onChange, 300);
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Fact type"
        placeholder="order.paid"
        defaultValue={filter.factType ?? ""}
        onChange={(event) => later({ factType: event.currentTarget.value.trim() || undefined })}
        w={200}
      />
      <Select
        label="State"
        placeholder="All"
        clearable
        data={[
          { value: "on", label: "On" },
          { value: "off", label: "Off" },
        ]}
        value={filter.enabled === undefined ? null : filter.enabled ? "on" : "off"}
        onChange={(state) => onChange({ enabled: state === null ? undefined : state === "on" })}
        w={120}
      />
    </Group>
  );
}
