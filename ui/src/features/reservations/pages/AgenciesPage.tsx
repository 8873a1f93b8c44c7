import { Button, Modal } from "@mantine/core";
import { IconBriefcase, IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ReservationsHead } from "@/features/reservations/components/ReservationsHead";
import { AgencyForm } from "@/features/reservations/components/AgencyForm";
import { AgencyList } from "@/features/reservations/components/AgencyList";
import { useAgency } from "@/features/reservations/operations/get-agency";
import { useAgencies } from "@/features/reservations/operations/list-agencies";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/reservations/agencies");

/** Who asks for tables for others: its people are told what the customer is told. */
export function AgenciesPage() {
  const { cursor, ...search } = route.useSearch();
  const navigate = useNavigate({ from: "/reservations/agencies" });
  const admin = useMay("admin");
  const agencies = useAgencies(cursor);
  const close = () =>
    void navigate({ search: (now) => ({ ...now, open: undefined, new: undefined }), resetScroll: false });
  const button = admin && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ search: (now) => ({ ...now, new: true }) })}
    >
      New agency
    </Button>
  );
  return (
    <>
      <ReservationsHead tab="/reservations/agencies">{button}</ReservationsHead>
      <Panel>
        <Asked query={agencies}>
          {(page) =>
            page.data.length === 0 ? (
              <Empty icon={IconBriefcase} title="No agencies yet" action={button}>
                An agency asks for tables for others. Its people are told what their customer is told.
                {!admin && " An admin of this tenant makes one."}
              </Empty>
            ) : (
              <>
                <AgencyList
                  agencies={page.data}
                  onOpen={(id) => void navigate({ search: (now) => ({ ...now, open: id }) })}
                />
                <Pager
                  page={page}
                  cursor={cursor}
                  onTurn={(to) => void navigate({ search: (now) => ({ ...now, cursor: to }) })}
                />
              </>
            )
          }
        </Asked>
      </Panel>
      <Modal opened={admin && search.new === true} onClose={close} title="New agency" size="lg">
        <AgencyForm onDone={close} />
      </Modal>
      <Modal opened={admin && search.open !== undefined} onClose={close} title="Agency" size="lg">
        {search.open !== undefined && <Edit id={search.open} onDone={close} />}
      </Modal>
    </>
  );
}

function Edit({ id, onDone }: { id: number; onDone: () => void }) {
  return (
    <Asked query={useAgency(id)}>{(agency) => <AgencyForm key={id} agency={agency} onDone={onDone} />}</Asked>
  );
}
