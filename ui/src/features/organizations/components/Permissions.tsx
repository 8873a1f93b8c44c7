import { Badge, Group, Text } from "@mantine/core";
import { grantsOf } from "@/features/organizations/logic/facts";
import { roleInWords } from "@/features/organizations/logic/words";
import { useFacts } from "@/features/organizations/operations/list-facts";
import { Details } from "@/kit/Details";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";

/** What each role may do there, as it was granted. */
export function Permissions({ organizationId }: { organizationId: string }) {
  const facts = useFacts(organizationId);
  return (
    <Section title="What its roles may do" about="There, and in what is below it.">
      <Asked query={facts} loading={<Loading rows={3} height={28} />}>
        {(all) => <Grants grants={grantsOf(all)} />}
      </Asked>
    </Section>
  );
}

function Grants({ grants }: { grants: Record<string, string[]> }) {
  const roles = Object.entries(grants);
  if (roles.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is granted: not yet, or not any more.
      </Text>
    );
  return (
    <Details
      of={roles.map(([role, permissions]) => [
        roleInWords(role),
        <Group key={role} gap={4}>
          {permissions.map((permission) => (
            <Badge key={permission} variant="default" tt="none" fw={500}>
              {permission}
            </Badge>
          ))}
        </Group>,
      ])}
    />
  );
}
