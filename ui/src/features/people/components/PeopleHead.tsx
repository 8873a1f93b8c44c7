import type { ReactNode } from "react";
import { TabbedHead } from "@/kit/TabbedHead";
import { useMay } from "@/session/session";

const TABS = [
  ["/settings/people", "People"],
  ["/settings/groups", "Groups"],
  ["/settings/imports", "Imports"],
  ["/settings/suppressions", "Suppressions"],
] as const;

interface Props {
  tab: (typeof TABS)[number][0];
  children?: ReactNode;
}

/** Members have no business there: they see why, and nothing that they could press. */
export function PeopleHead({ tab, children }: Props) {
  const may = useMay("admin");
  return (
    <TabbedHead
      title="People"
      about="Who can be told, where, and what they do not want to hear."
      tabs={may ? TABS : []}
      tab={tab}
    >
      {may && children}
    </TabbedHead>
  );
}
