import { Group, Text, UnstyledButton } from "@mantine/core";
import classes from "@/features/sandbox/components/KeptList.module.css";
import type { Kept } from "@/features/sandbox/schemas";
import { channelIcons, channelWords } from "@/kit/channels";
import { When } from "@/kit/When";

interface Props {
  messages: readonly Kept[];
  opened: string | undefined;
  onOpen: (id: string) => void;
}

/** What was kept, the newest first, as in any mail program. */
export function KeptList({ messages, opened, onOpen }: Props) {
  return (
    <ul className={classes.list} aria-label="Messages">
      {messages.map((message) => (
        <li key={message.id}>
          <UnstyledButton
            className={classes.item ?? ""}
            aria-current={message.id === opened ? "true" : undefined}
            onClick={() => onOpen(message.id)}
          >
            <Line message={message} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

function Line({ message }: { message: Kept }) {
  const Sign = channelIcons[message.channel];
  const [head, rest] = inShort(message);
  return (
    <>
      <Group gap={8} wrap="nowrap" justify="space-between">
        <Group gap={6} wrap="nowrap" miw={0}>
          <Sign size={15} stroke={1.6} aria-label={channelWords[message.channel]} role="img" />
          <Text size="xs" c="dimmed" truncate>
            {message.to ?? "sealed"}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" flex="none">
          <When at={message.createdAt} />
        </Text>
      </Group>
      <Text size="sm" fw={600} truncate>
        {head}
      </Text>
      {rest !== undefined && (
        <Text size="sm" c="dimmed" truncate>
          {rest}
        </Text>
      )}
    </>
  );
}

/** Its subject and how it goes on; of what has no subject, its text. */
function inShort({ to, subject, text }: Kept): [string, string | undefined] {
  if (to === null) return ["It cannot be read any more", undefined];
  const said = text?.replace(/\s+/g, " ").trim() ?? "";
  return subject === null || subject === "" ? [said, undefined] : [subject, said];
}
