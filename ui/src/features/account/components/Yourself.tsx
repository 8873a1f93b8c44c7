import { Text } from "@mantine/core";
import type { Me } from "@/features/account/schemas";
import { Details } from "@/kit/Details";
import { useSession } from "@/session/session";

const KINDS: Record<string, string> = {
  email: "E-mail",
  phone: "Phone",
  push: "Push",
  slack: "Slack",
  webhook: "Webhook",
  apprise: "Apprise",
};

/** Who one is here, and where one can be reached: an admin's to change. */
export function Yourself({ me }: { me: Me }) {
  const session = useSession();
  const reached = me.addresses.map(
    ({ kind, value, disabledAt }) =>
      [KINDS[kind] ?? kind, disabledAt === null ? value : `${value} (not used: it failed)`] as const,
  );
  return (
    <>
      <Details
        of={[
          ["Name", me.name],
          ["Signs in as", session.email ?? session.actor],
          ["Role", `${session.role} in ${session.tenant}`],
          ...reached,
        ]}
      />
      <Text size="sm" c="dimmed" mt="xs">
        Your name and where you are reached are kept by the admins of this tenant, under Settings, People.
      </Text>
    </>
  );
}
