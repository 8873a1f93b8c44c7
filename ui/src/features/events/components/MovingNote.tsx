import { Alert, List } from "@mantine/core";
import { IconSpeakerphone } from "@tabler/icons-react";
import { movedBy, toldOf, type Draft } from "@/features/events/logic/draft";
import { span } from "@/features/events/logic/offsets";
import { meaning } from "@/kit/theme";
import { amountOf } from "@/kit/words";

interface Props {
  before: Draft;
  draft: Draft;
  subscribers: number;
}

/** Says beforehand what saving will do to others. */
export function MovingNote({ before, draft, subscribers }: Props) {
  const told = toldOf(before, draft);
  const moved = movedBy(before, draft) / 1000;
  if (told.length === 0) return null;
  return (
    <Alert
      color={meaning.busy}
      icon={<IconSpeakerphone size={18} />}
      title="When you save this"
      role="status"
    >
      <List size="sm">
        {moved !== 0 && (
          <List.Item>
            The event moves {span(Math.abs(moved))} {moved > 0 ? "later" : "earlier"}, and everybody's
            reminders move with it, at once. Those whose new time is past are not sent; “remind me” ones stay
            where they are.
          </List.Item>
        )}
        <List.Item>
          {subscribers === 0
            ? "Nobody has joined yet, so nobody is told."
            : `${amountOf(subscribers, "subscriber is", "subscribers are")} told that ${listed(told)} changed.`}
        </List.Item>
      </List>
    </Alert>
  );
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}
