import { Button, Group, Stack } from "@mantine/core";
import type { SignInLink } from "@/features/access/schemas";
import { ShownOnce } from "@/kit/ShownOnce";
import { briefly } from "@/kit/time";

export function LinkOnce({ link, name, onDone }: { link: SignInLink; name: string; onDone: () => void }) {
  return (
    <Stack>
      <ShownOnce label={`Sign-in link for ${name}`} secret={link.url}>
        Nothing will show this link again. It signs in once, until {briefly(link.expiresAt)}: hand it to{" "}
        {name} and to nobody else.
      </ShownOnce>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
