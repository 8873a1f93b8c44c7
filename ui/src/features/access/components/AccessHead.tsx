import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "@/kit/PageHead";

const TABS = [
  ["/settings/keys", "API keys"],
  ["/settings/users", "Users"],
] as const;

type Tab = (typeof TABS)[number][0];

/** The top of the two pages of access; each has its own address. */
export function AccessHead({ tab, children }: { tab: Tab; children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Keys and users" about="Who and what comes in here, and may do what.">
        {children}
      </PageHead>
      <Tabs value={tab} onChange={(to) => void navigate({ to: to as Tab })} mb="md" keepMounted={false}>
        <Tabs.List aria-label="Keys and users">
          {TABS.map(([to, label]) => (
            <Tabs.Tab key={to} value={to}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </>
  );
}
