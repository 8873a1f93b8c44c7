import { IconLock } from "@tabler/icons-react";
import { Empty } from "@/kit/states/Empty";

/** What is here is not for the role of who looks: says so, and who can change that. */
export function NoPermission({ why }: { why: string }) {
  return (
    <Empty icon={IconLock} title="Not for your role">
      {why} An admin of this tenant can change that under Settings, Keys and users.
    </Empty>
  );
}
