import { Button, Drawer, Group, Modal, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconRoute, IconSend } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LevelBadge } from "@/features/activity/components/badges";
import { tallied } from "@/kit/delivery/tally";
import { useCloseNotice } from "@/features/activity/operations/close-notice";
import { useNotice } from "@/features/activity/operations/get-notice";
import type { Notice } from "@/features/activity/schemas";
import { Copied } from "@/kit/Copied";
import { Details } from "@/kit/Details";
import { Asked } from "@/kit/states/Asked";
import { exactly } from "@/kit/time";
import { useMay } from "@/session/session";

interface Props {
  id: string | undefined;
  onClose: () => void;
}

/** One notice: what was said, to how many, and how it stands. */
export function NoticeDrawer({ id, onClose }: Props) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Notice">
      {id !== undefined && <Content id={id} />}
    </Drawer>
  );
}

function Content({ id }: { id: string }) {
  return <Asked query={useNotice(id)}>{(notice) => <Shown notice={notice} />}</Asked>;
}

function Shown({ notice }: { notice: Notice }) {
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h4">
          {notice.title}
        </Title>
        <LevelBadge level={notice.level} />
      </Group>
      <Text size="sm" style={{ whiteSpace: "pre-line" }}>
        {notice.body}
      </Text>
      <Group gap="xs">
        {notice.factId !== null && (
          <Button
            component={Link}
            to={`/activity/${notice.factId}`}
            size="xs"
            leftSection={<IconRoute size={15} />}
          >
            Its trace
          </Button>
        )}
        <Button
          component={Link}
          to={`/activity/deliveries?noticeId=${notice.id}`}
          size="xs"
          variant="default"
          leftSection={<IconSend size={15} />}
        >
          Its deliveries
        </Button>
        <Closing notice={notice} />
      </Group>
      <Details
        of={[
          ["How it stands", tallied(notice.tally)],
          ["Category", notice.category],
          ["Channels", notice.channels.join(", ")],
          ["Said by", notice.listener.startsWith("rule:") ? "a rule" : notice.listener],
          ["Made", exactly(notice.createdAt)],
          ["Sent out", exactly(notice.runAt)],
          ["Settled", notice.tally.settledAt && exactly(notice.tally.settledAt)],
          ["Closed", notice.closedAt && `${exactly(notice.closedAt)}: ${notice.closedReason ?? ""}`],
          ["Id", <Copied key="id" text={notice.id} />],
        ]}
      />
    </Stack>
  );
}

/** What of it still waits is not sent; that cannot be taken back. */
function Closing({ notice }: { notice: Notice }) {
  const may = useMay("admin");
  const close = useCloseNotice(notice.id);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const waits = notice.tally.open > 0 || !notice.tally.complete;
  if (!may || notice.closedAt !== null || !waits) return null;
  const done = () => setAsking(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Close…
      </Button>
      <Modal opened={asking} onClose={done} title="Close this notice?" centered>
        <Stack>
          <Text size="sm">What of it still waits is not sent. This cannot be taken back.</Text>
          <TextInput
            label="Why"
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              Cancel
            </Button>
            <Button
              color="red"
              loading={close.isPending}
              disabled={reason.trim() === ""}
              onClick={() => close.mutate(reason.trim(), { onSettled: done })}
            >
              Close it
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
