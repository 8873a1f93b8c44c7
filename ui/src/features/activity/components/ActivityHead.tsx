import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "@/kit/PageHead";
import { useMay } from "@/session/session";

const TABS = [
  ["/activity", "Facts"],
  ["/activity/deliveries", "Deliveries"],
  ["/activity/notices", "Notices"],
  ["/activity/why", "Why?"],
] as const;

type Tab = (typeof TABS)[number][0];

/** The top of the four pages of activity; each has its own address. */
export function ActivityHead({ tab, children }: { tab: Tab; children?: ReactNode }) {
  const navigate = useNavigate();
  const may = useMay("admin");
  return (
    <>
      <PageHead
        title="Activity"
        about="What happened, what was said of it, and what became of every message."
      >
        {children}
      </PageHead>
      <Tabs value={tab} onChange={(to) => void navigate({ to: to as Tab })} mb="md" keepMounted={false}>
        <Tabs.List aria-label="Activity">
          {TABS.filter(([to]) => may || to === "/activity").map(([to, label]) => (
            <Tabs.Tab key={to} value={to}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </>
  );
}
