import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "@/kit/PageHead";
import { useMay } from "@/session/session";

const TABS = [
  ["/settings/people", "People"],
  ["/settings/groups", "Groups"],
  ["/settings/imports", "Imports"],
  ["/settings/suppressions", "Suppressions"],
] as const;

type Tab = (typeof TABS)[number][0];

/** The top of the four pages about people; each has its own address. */
export function PeopleHead({ tab, children }: { tab: Tab; children?: ReactNode }) {
  const navigate = useNavigate();
  const may = useMay("admin");
  return (
    <>
      <PageHead title="People" about="Who can be told, where, and what they do not want to hear.">
        {may && children}
      </PageHead>
      {may && (
        <Tabs value={tab} onChange={(to) => void navigate({ to: to as Tab })} mb="md" keepMounted={false}>
          <Tabs.List aria-label="People">
            {TABS.map(([to, label]) => (
              <Tabs.Tab key={to} value={to} px={{ base: "xs", xs: "md" }}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
    </>
  );
}
