import { Button } from "@mantine/core";
import { IconMailOpened } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Empty } from "@/kit/states/Empty";

/** Nothing was kept, or nothing that matches. */
export function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed)
    return (
      <Empty icon={IconMailOpened} title="No such message">
        None matches. Take a filter away to see the others.
      </Empty>
    );
  return (
    <Empty
      icon={IconMailOpened}
      title="Nothing kept yet"
      action={
        <Button component={Link} to="/rules" variant="default">
          Rules
        </Button>
      }
    >
      Channels without a provider of their own send here. When a rule tells somebody of a fact, the message
      appears by itself.
    </Empty>
  );
}

export function NothingOpen() {
  return (
    <Empty icon={IconMailOpened} title="Choose a message">
      It is shown here as it would have looked where it arrives.
    </Empty>
  );
}
