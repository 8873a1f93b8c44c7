import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "@/kit/PageHead";

interface Props<To extends string> {
  title: string;
  about: string;
  /** Each has its own address. */
  tabs: readonly (readonly [to: To, label: string])[];
  tab: To;
  /** What can be done on all of them. */
  children?: ReactNode;
}

/** The top of pages that belong together. */
export function TabbedHead<To extends string>({ title, about, tabs, tab, children }: Props<To>) {
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={title} about={about}>
        {children}
      </PageHead>
      {tabs.length > 1 && (
        <Tabs value={tab} onChange={(to) => void navigate({ to: to ?? tab })} mb="md" keepMounted={false}>
          <Tabs.List aria-label={title}>
            {tabs.map(([to, label]) => (
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
