import { Stack } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { FactsFilter } from "@/features/activity/addresses";
import { ActivityHead } from "@/features/activity/components/ActivityHead";
import { FactFilters } from "@/features/activity/components/FactFilters";
import { FactTable } from "@/features/activity/components/FactTable";
import { useFacts } from "@/features/activity/operations/list-facts";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/activity");

/** What happened, newest first. */
export function FactsPage() {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: "/activity" });
  const facts = useFacts(filter);
  const narrow = (change: Partial<FactsFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  return (
    <>
      <ActivityHead tab="/activity" />
      <Stack>
        <FactFilters filter={filter} onChange={narrow} />
        <Panel>
          <Asked query={facts}>
            {(page) =>
              page.data.length === 0 ? (
                <None narrowed={Object.values(filter).some((value) => value !== undefined)} />
              ) : (
                <>
                  <FactTable facts={page.data} />
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

function None({ narrowed }: { narrowed: boolean }) {
  return (
    <Empty icon={IconActivity} title={narrowed ? "No fact matches" : "No facts yet"}>
      {narrowed
        ? "A type matches as a whole; with * at its end, all that begin like it."
        : "Emit one from your own code, or by tidings emit order.paid on the command line: it appears here by itself."}
    </Empty>
  );
}
