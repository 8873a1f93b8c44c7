import { Button, Stack } from "@mantine/core";
import { IconToolsKitchen2, IconUserQuestion } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ReservationForm } from "@/features/reservations/components/ReservationForm";
import { bodyOf, EMPTY, faultsOf } from "@/features/reservations/logic/draft";
import { useCreateReservation } from "@/features/reservations/operations/create-reservation";
import { useMe } from "@/features/reservations/operations/get-me";
import { useEveryRestaurant } from "@/features/reservations/operations/list-restaurants";
import type { Restaurant } from "@/features/reservations/schemas";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { Panel } from "@/kit/Panel";
import { refusedIn } from "@/kit/refused";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { viewersZone } from "@/kit/time";
import { useMay } from "@/session/session";

const TITLE = "New reservation";

/** An admin asks for anybody; a customer for themselves. */
export function NewReservationPage() {
  const admin = useMay("admin");
  const me = useMe();
  const restaurants = useEveryRestaurant();
  const customerId = me.data?.userType === "CUSTOMER" ? me.data.id : null;
  const ready = admin || me.data !== undefined || !me.isFetching;
  if (restaurants.data === undefined || !ready)
    return (
      <>
        <PageHead title={TITLE} />
        <Asked query={restaurants}>{() => null}</Asked>
      </>
    );
  if (restaurants.data.length === 0 || (!admin && customerId === null))
    return (
      <>
        <PageHead title={TITLE} />
        <Panel>{restaurants.data.length === 0 ? <NoRestaurant /> : <NotForMembers />}</Panel>
      </>
    );
  return (
    <Writing restaurants={restaurants.data} forSomebody={admin} customerId={admin ? null : customerId} />
  );
}

interface Props {
  restaurants: readonly Restaurant[];
  forSomebody: boolean;
  customerId: string | null;
}

const FORM = "new-reservation";

function Writing({ restaurants, forSomebody, customerId }: Props) {
  const navigate = useNavigate();
  const create = useCreateReservation();
  const [only] = restaurants;
  const [empty] = useState(() => ({
    ...EMPTY,
    customerId,
    restaurantId: restaurants.length === 1 && only !== undefined ? only.id : null,
  }));
  const [draft, setDraft] = useState(empty);
  const [tried, setTried] = useState(false);
  const [now] = useState(Date.now);
  const zone = restaurants.find(({ id }) => id === draft.restaurantId)?.timezone ?? viewersZone();
  const faults = faultsOf(draft, zone, now);
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    create.mutate(bodyOf(draft, zone), {
      onSuccess: ({ id }) => void navigate({ to: `/reservations/${id}`, ignoreBlocker: true }),
    });
  };
  const unsaved = JSON.stringify(draft) !== JSON.stringify(empty);
  return (
    <>
      <PageHead title={TITLE} about="The restaurant, the admins and the customer are told at once.">
        <Button component={Link} to="/reservations" variant="default">
          Back
        </Button>
        <Button type="submit" form={FORM} loading={create.isPending}>
          Create
        </Button>
      </PageHead>
      <LeaveGuard unsaved={unsaved && !create.isPending && !create.isSuccess} />
      <Stack maw={860}>
        <form
          id={FORM}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <ReservationForm
            draft={draft}
            faults={{ ...refusedIn(create.error), ...(tried ? faults : {}) }}
            restaurants={restaurants}
            forSomebody={forSomebody}
            onChange={(part) => {
              create.reset();
              setDraft((was) => ({ ...was, ...part }));
            }}
          />
        </form>
      </Stack>
    </>
  );
}

function NoRestaurant() {
  const admin = useMay("admin");
  return (
    <Empty
      icon={IconToolsKitchen2}
      title="Make a restaurant first"
      action={
        admin && (
          <Button component={Link} to="/reservations/restaurants?new=true">
            New restaurant
          </Button>
        )
      }
    >
      A reservation is for a restaurant: it has a timezone, and people who decide.
      {!admin && " An admin of this tenant makes one."}
    </Empty>
  );
}

function NotForMembers() {
  return (
    <Empty icon={IconUserQuestion} title="Your login is no customer's">
      Customers ask for themselves, and admins for anybody. An admin can link your login to a person of the
      type <b>CUSTOMER</b>, under Keys and users.
    </Empty>
  );
}
