import { Button } from "@mantine/core";
import { IconMapPinOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Empty } from "@/kit/states/Empty";

export function NotFound() {
  return (
    <Empty
      icon={IconMapPinOff}
      title="There is no such page"
      action={
        <Button component={Link} to="/">
          To the overview
        </Button>
      }
    >
      The address may be misspelt, or what it led to is gone.
    </Empty>
  );
}
