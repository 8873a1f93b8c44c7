import type { ReactNode } from "react";
import { TabbedHead } from "@/kit/TabbedHead";
import { useMay } from "@/session/session";

const TABS = [
  ["/reservations", "Requests"],
  ["/reservations/restaurants", "Restaurants"],
  ["/reservations/agencies", "Agencies"],
  ["/reservations/channels", "Channels"],
] as const;
const FOR_MEMBERS = TABS.slice(0, 3);

interface Props {
  tab: (typeof TABS)[number][0];
  children?: ReactNode;
}

export function ReservationsHead({ tab, children }: Props) {
  const admin = useMay("admin");
  return (
    <TabbedHead
      title="Reservations"
      about="One request, told to all who have a part in it. The first of them to act settles it."
      tabs={admin ? TABS : FOR_MEMBERS}
      tab={tab}
    >
      {children}
    </TabbedHead>
  );
}
