import { Anchor, Code, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import rows from "@/features/people/components/rows.module.css";
import type { Group } from "@/features/people/schemas";

export function GroupList({ groups }: { groups: readonly Group[] }) {
  return (
    <ul className={rows.list} aria-label="Groups">
      {groups.map((group) => (
        <li key={group.id} className={`${rows.row} ${rows.group}`}>
          <Anchor
            component={Link}
            to="/settings/groups"
            search={((now: object) => ({ ...now, group: group.id })) as never}
            className={rows.cover ?? ""}
            fw={600}
            size="sm"
            c="var(--mantine-color-text)"
          >
            {group.name}
          </Anchor>
          <div>
            <Code>{group.externalId}</Code>
          </div>
          <Text size="sm">
            {group.type ?? (
              <Text span c="dimmed" inherit>
                no type
              </Text>
            )}
          </Text>
          <Text size="xs" c="dimmed" className={rows.end ?? ""}>
            {membersInWords(group.members)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** The server counts to a thousand. */
function membersInWords(members: number): string {
  if (members === 0) return "nobody yet";
  if (members > 1000) return "over 1,000 people";
  return members === 1 ? "1 person" : `${members.toLocaleString()} people`;
}
