import { Stack } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { DeliveriesFilter } from "@/features/activity/addresses";
import { ActivityHead } from "@/features/activity/components/ActivityHead";
import { DeliveryDrawer } from "@/features/activity/components/DeliveryDrawer";
import { DeliveryFilters } from "@/features/activity/components/DeliveryFilters";
import { DeliveryTable } from "@/features/activity/components/DeliveryTable";
import { RetryMany } from "@/features/activity/components/RetryMany";
import { useDeliveries } from "@/features/activity/operations/list-deliveries";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/activity/deliveries");

/** Every message to every address, open and finished: found, understood, sent again. */
export function DeliveriesPage() {
  const { delivery, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/activity/deliveries" });
  const deliveries = useDeliveries(filter);
  const narrow = (change: Partial<DeliveriesFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const open = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, delivery: id }) });
  return (
    <>
      <ActivityHead tab="/activity/deliveries">
        <RetryMany filter={filter} />
      </ActivityHead>
      <Stack>
        <DeliveryFilters filter={filter} onChange={narrow} />
        <Panel>
          <Asked query={deliveries}>
            {(page) =>
              page.data.length === 0 ? (
                <None filter={filter} />
              ) : (
                <>
                  <DeliveryTable deliveries={page.data} onOpen={open} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
      <DeliveryDrawer id={delivery} onClose={() => open(undefined)} />
    </>
  );
}

function None({ filter }: { filter: DeliveriesFilter }) {
  const { status, ...rest } = filter;
  const onlyStatus = Object.values(rest).every((value) => value === undefined);
  if (status === "failed" && onlyStatus) {
    return (
      <Empty icon={IconSend} title="Nothing failed">
        Every message was sent, is waiting, or was not wanted.
      </Empty>
    );
  }
  const narrowed = status !== undefined || !onlyStatus;
  return (
    <Empty icon={IconSend} title={narrowed ? "No delivery matches" : "Nothing was sent yet"}>
      {narrowed
        ? "Take a filter away to see more."
        : "Make a rule for a type of fact: what it tells appears here, one row for each address."}
    </Empty>
  );
}
