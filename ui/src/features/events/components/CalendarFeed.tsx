import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCalendarShare } from "@tabler/icons-react";
import { useState } from "react";
import { useFeed } from "@/features/events/operations/get-feed";
import { useMakeFeed } from "@/features/events/operations/make-feed";
import { useRevokeFeed } from "@/features/events/operations/revoke-feed";
import type { Feed } from "@/features/events/schemas";
import { Confirm } from "@/kit/Confirm";
import { Details } from "@/kit/Details";
import { ShownOnce } from "@/kit/ShownOnce";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";
import { When } from "@/kit/When";

/** One's own calendar by an address that a calendar program reads: made, replaced, taken away. */
export function CalendarFeed() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarShare size={16} />} onClick={open}>
        My calendar…
      </Button>
      <Modal opened={opened} onClose={close} title="My calendar" size="lg">
        <Content onClose={close} />
      </Modal>
    </>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const feed = useFeed();
  const make = useMakeFeed();
  if (make.data !== undefined)
    return (
      <ShownOnce label="The address of your calendar" secret={make.data} onDone={onClose}>
        Nothing will show this address again. Subscribe to it in your calendar program. Whoever has it can
        read your calendar: keep it like a password. Lost, it is replaced.
      </ShownOnce>
    );
  return (
    <Stack>
      <Text size="sm">
        The events that you joined or organise, at an address that your calendar program reads by itself: what
        moves here moves there.
      </Text>
      <Asked query={feed} loading={<Loading rows={1} height={60} />}>
        {(data) =>
          data === null ? (
            <Group justify="flex-end">
              <Button loading={make.isPending} onClick={() => make.mutate()}>
                Make an address
              </Button>
            </Group>
          ) : (
            <Present feed={data} busy={make.isPending} onReplace={() => make.mutate()} />
          )
        }
      </Asked>
    </Stack>
  );
}

function Present({ feed, busy, onReplace }: { feed: Feed; busy: boolean; onReplace: () => void }) {
  const revoke = useRevokeFeed();
  const [asking, setAsking] = useState<"replace" | "revoke">();
  const stop = () => setAsking(undefined);
  return (
    <>
      <Details
        of={[
          ["Made", <When key="made" at={feed.createdAt} />],
          ["Last read", feed.readAt === null ? "never yet" : <When key="read" at={feed.readAt} />],
        ]}
      />
      <Group justify="flex-end">
        <Button variant="default" color="red" onClick={() => setAsking("revoke")}>
          Revoke…
        </Button>
        <Button variant="default" onClick={() => setAsking("replace")}>
          Replace…
        </Button>
      </Group>
      <Confirm
        opened={asking === "replace"}
        title="Replace the address?"
        deed="Replace it"
        busy={busy}
        onClose={stop}
        onConfirm={() => {
          stop();
          onReplace();
        }}
      >
        Calendars that read the old address see nothing new from now on. The new one is shown once.
      </Confirm>
      <Confirm
        opened={asking === "revoke"}
        title="Take the address away?"
        deed="Revoke it"
        busy={revoke.isPending}
        onClose={stop}
        onConfirm={() => revoke.mutate(undefined, { onSettled: stop })}
      >
        Nobody reads your calendar there any more. You can make another address at any time.
      </Confirm>
    </>
  );
}
