import { Code } from "@mantine/core";
import { IconWorldOff } from "@tabler/icons-react";
import { Empty } from "@/kit/states/Empty";
import { useSession } from "@/session/session";

/** Nothing can be taken on here yet, and who can change that. */
export function NoDomain() {
  const { tenant } = useSession();
  return (
    <Empty icon={IconWorldOff} title="This tenant has no domain yet">
      Each organisation gets a subdomain of it. An operator names one in{" "}
      <Code>TIDINGS_ORGANIZATIONS_DOMAINS</Code>, as <Code>{`${tenant}=example.com`}</Code>, and restarts API
      and workers; then organisations can be taken on.
    </Empty>
  );
}
