import type { ReactNode } from "react";
import { TabbedHead } from "@/kit/TabbedHead";

const TABS = [
  ["/settings/keys", "API keys"],
  ["/settings/users", "Users"],
] as const;

interface Props {
  tab: (typeof TABS)[number][0];
  children?: ReactNode;
}

export function AccessHead({ tab, children }: Props) {
  return (
    <TabbedHead
      title="Keys and users"
      about="Who and what comes in here, and may do what."
      tabs={TABS}
      tab={tab}
    >
      {children}
    </TabbedHead>
  );
}
