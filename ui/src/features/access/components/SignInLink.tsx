import { Button, Group, Stack, Text } from "@mantine/core";
import { LinkOnce } from "@/features/access/components/LinkOnce";
import { useMakeSignInLink } from "@/features/access/operations/make-sign-in-link";
import type { User } from "@/features/access/schemas";

/** A link to hand over; made when it is asked for, since it voids the one before. */
export function SignInLink({ user, onDone }: { user: User; onDone: () => void }) {
  const make = useMakeSignInLink();
  if (make.data !== undefined) return <LinkOnce link={make.data} name={user.name} onDone={onDone} />;
  return (
    <Stack>
      <Text size="sm">
        With it {user.name} signs in once, without a password. The link that was made for them before, if
        there is one, is void from then on.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button data-autofocus loading={make.isPending} onClick={() => make.mutate(user.id)}>
          Make the link
        </Button>
      </Group>
    </Stack>
  );
}
