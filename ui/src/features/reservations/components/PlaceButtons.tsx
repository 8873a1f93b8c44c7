import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  isNew: boolean;
  busy: boolean;
  onClose: () => void;
  /** What stands apart, at the other end. */
  children: ReactNode;
}

export function PlaceButtons({ isNew, busy, onClose, children }: Props) {
  return (
    <Group justify="space-between">
      {children}
      <Group ml="auto">
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button type="submit" loading={busy}>
          {isNew ? "Create" : "Save"}
        </Button>
      </Group>
    </Group>
  );
}
