import { Button, Modal } from "@mantine/core";
import { IconPlus, IconToolsKitchen2 } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ReservationsHead } from "@/features/reservations/components/ReservationsHead";
import { RestaurantForm } from "@/features/reservations/components/RestaurantForm";
import { RestaurantList } from "@/features/reservations/components/RestaurantList";
import { useRestaurant } from "@/features/reservations/operations/get-restaurant";
import { useRestaurants } from "@/features/reservations/operations/list-restaurants";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/reservations/restaurants");

/** Places with a timezone, whose people decide. */
export function RestaurantsPage() {
  const { cursor, ...search } = route.useSearch();
  const navigate = useNavigate({ from: "/reservations/restaurants" });
  const admin = useMay("admin");
  const restaurants = useRestaurants(cursor);
  const close = () =>
    void navigate({ search: (now) => ({ ...now, open: undefined, new: undefined }), resetScroll: false });
  const button = admin && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ search: (now) => ({ ...now, new: true }) })}
    >
      New restaurant
    </Button>
  );
  return (
    <>
      <ReservationsHead tab="/reservations/restaurants">{button}</ReservationsHead>
      <Panel>
        <Asked query={restaurants}>
          {(page) =>
            page.data.length === 0 ? (
              <Empty icon={IconToolsKitchen2} title="No restaurants yet" action={button}>
                A restaurant has a timezone, a language, and people who decide on what is asked for there.
                {!admin && " An admin of this tenant makes one."}
              </Empty>
            ) : (
              <>
                <RestaurantList
                  restaurants={page.data}
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
      <Modal opened={admin && search.new === true} onClose={close} title="New restaurant" size="lg">
        <RestaurantForm onDone={close} />
      </Modal>
      <Modal opened={admin && search.open !== undefined} onClose={close} title="Restaurant" size="lg">
        {search.open !== undefined && <Edit id={search.open} onDone={close} />}
      </Modal>
    </>
  );
}

function Edit({ id, onDone }: { id: number; onDone: () => void }) {
  return (
    <Asked query={useRestaurant(id)}>
      {(restaurant) => <RestaurantForm key={id} restaurant={restaurant} onDone={onDone} />}
    </Asked>
  );
}
