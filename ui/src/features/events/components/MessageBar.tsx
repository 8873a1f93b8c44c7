import { Progress } from "@mantine/core";
import type { EventMessage } from "@/features/events/schemas";
import { meaning } from "@/kit/theme";

/** How far the deliveries of a message are; the words beside it say the same. */
export function MessageBar({ message }: { message: EventMessage }) {
  const { sent, failed, open, skipped } = message.deliveries;
  const all = sent + failed + open + skipped + message.noTarget;
  const part = (amount: number) => (all === 0 ? 0 : (amount / all) * 100);
  return (
    <Progress.Root size="sm" aria-hidden>
      <Progress.Section value={part(sent)} color={meaning.good} />
      <Progress.Section value={part(failed)} color={meaning.bad} />
      <Progress.Section value={part(message.noTarget)} color={meaning.warning} />
      <Progress.Section value={part(skipped)} color={meaning.waiting} />
    </Progress.Root>
  );
}
