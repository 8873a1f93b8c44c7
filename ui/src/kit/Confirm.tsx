import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  opened: boolean;
  title: string;
  /** What will be, and what cannot be taken back. */
  children: ReactNode;
  /** What the button says: the deed itself, not "OK". */
  deed: string;
  /** What the way back says. */
  back?: string;
  busy?: boolean;
  danger?: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before what cannot be undone. The way back has the focus. */
export function Confirm({
  opened,
  title,
  children,
  deed,
  back = "Cancel",
  busy = false,
  danger = true,
  onClose,
  onConfirm,
}: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {back}
          </Button>
          <Button {...(danger ? { color: "red" } : {})} loading={busy} onClick={onConfirm}>
            {deed}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
