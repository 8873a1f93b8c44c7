import type { ReactNode } from "react";
import { TabbedHead } from "@/kit/TabbedHead";
import { useMay } from "@/session/session";

const TABS = [
  ["/activity", "Facts"],
  ["/activity/deliveries", "Deliveries"],
  ["/activity/notices", "Notices"],
  ["/activity/why", "Why?"],
] as const;

interface Props {
  tab: (typeof TABS)[number][0];
  children?: ReactNode;
}

/** Members see facts, and not what was made of them. */
export function ActivityHead({ tab, children }: Props) {
  const may = useMay("admin");
  return (
    <TabbedHead
      title="Activity"
      about="What happened, what was said of it, and what became of every message."
      tabs={TABS.filter(([to]) => may || to === "/activity")}
      tab={tab}
    >
      {children}
    </TabbedHead>
  );
}
