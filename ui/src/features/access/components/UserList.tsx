import { Anchor, Group, Select, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { UserDeeds } from "@/features/access/components/UserDeeds";
import { whyFixed, whyKept } from "@/features/access/logic/standing";
import { useChangeRole } from "@/features/access/operations/change-role";
import { memberRoles, type MemberRole, type User } from "@/features/access/schemas";
import { Confirm } from "@/kit/Confirm";
import { Row, Rows } from "@/kit/Rows";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";
import { useMay, useSession } from "@/session/session";

/** Everybody who may sign in. `all` where none is missing from `users`. */
export function UserList({ users, all }: { users: readonly User[]; all: boolean }) {
  const by = { userId: useSession().userId, operator: useMay("operator") };
  return (
    <Rows label="Users" columns="minmax(0, 1.6fr) minmax(0, 1.2fr) minmax(0, 1fr) 130px">
      {users.map((user) => (
        <Row
          key={user.id}
          faint={user.disabled}
          deeds={<UserDeeds user={user} fixed={whyFixed(user, by)} kept={whyKept(user, users, all, by)} />}
        >
          <Who user={user} you={user.id === by.userId} />
          <Text size="sm">
            {user.person === null ? (
              <Text span size="sm" c="dimmed">
                no person
              </Text>
            ) : (
              <>
                is{" "}
                <Anchor
                  component={Link}
                  to={`/settings/people?person=${user.person.id}`}
                  inherit
                  underline="always"
                >
                  {user.person.name}
                </Anchor>
              </>
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {user.lastSignInAt === null ? (
              "never signed in"
            ) : (
              <>
                signed in <When at={user.lastSignInAt} />
              </>
            )}
          </Text>
          <Role user={user} kept={whyKept(user, users, all, by)} />
        </Row>
      ))}
    </Rows>
  );
}

function Who({ user, you }: { user: User; you: boolean }) {
  return (
    <Stack gap={0}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {user.name}
        </Text>
        {you && <StatusBadge status="you" means="busy" />}
        {user.operator && <StatusBadge status="operator" means="waiting" />}
        {user.disabled && <StatusBadge status="disabled" means="bad" />}
      </Group>
      {user.name !== user.email && (
        <Text size="xs" c="dimmed" truncate>
          {user.email}
        </Text>
      )}
    </Stack>
  );
}

/** Lowering somebody is asked about; what cannot be is not offered. */
function Role({ user, kept }: { user: User; kept: string | null }) {
  const change = useChangeRole();
  const [asking, setAsking] = useState(false);
  if (kept !== null)
    return (
      <Text size="sm" title={kept}>
        {user.role}
      </Text>
    );
  const become = (role: MemberRole) => change.mutate({ id: user.id, role });
  return (
    <>
      <Select
        size="xs"
        aria-label={`Role of ${user.name}`}
        data={memberRoles}
        value={user.role}
        allowDeselect={false}
        onChange={(role) => {
          if (role === "admin") become(role);
          else if (user.role === "admin") setAsking(true);
        }}
      />
      <Confirm
        opened={asking}
        title={`Make ${user.name} a member?`}
        deed="Make a member"
        danger={false}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          become("member");
        }}
      >
        A member sees facts, the outbox and themselves. Rules, people, providers and these settings are for
        admins: they lose them at once. Their keys are lowered with them.
      </Confirm>
    </>
  );
}
