import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { PasswordForm } from "@/features/organizations/components/PasswordForm";
import { roleWords } from "@/features/organizations/logic/words";
import { useAcceptInvitation } from "@/features/organizations/operations/accept-invitation";
import type { OpenedInvitation } from "@/features/organizations/schemas";
import { Details } from "@/kit/Details";
import { Door } from "@/kit/Door";
import { Problem, said } from "@/kit/problem";
import { fully } from "@/kit/time";
import { useSignOut } from "@/session/sign-out";

interface Props {
  opened: OpenedInvitation;
  token: string;
  /** Who is signed in is somebody else from now on. */
  onSomebodyElse: () => void;
}

/** Whom it is for, and to what; and the way in for them. */
export function Accepting({ opened, token, onSomebodyElse }: Props) {
  const navigate = useNavigate();
  const accept = useAcceptInvitation();
  const { organization, email, role, expiresAt, signedInAs, hasLogin } = opened;
  const take = (password?: string) =>
    accept.mutate(
      { token, ...(password === undefined ? {} : { password }) },
      {
        onSuccess: ({ organizationId }) =>
          void navigate({ to: `/organizations/${organizationId}`, replace: true }),
      },
    );
  return (
    <Door title={`You are invited to ${organization}`}>
      <Details
        of={[
          ["For", email],
          ["As", roleWords[role]],
          ["Good until", fully(expiresAt)],
        ]}
      />
      {accept.error !== null && !isOfPassword(accept.error) && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert">
          {said(accept.error)}
        </Alert>
      )}
      {signedInAs === null ? (
        <PasswordForm
          key={String(hasLogin)}
          email={email}
          hasLogin={hasLogin}
          busy={accept.isPending || accept.isSuccess}
          error={accept.error}
          onPassword={take}
        />
      ) : signedInAs.toLowerCase() === email.toLowerCase() ? (
        <Button autoFocus loading={accept.isPending || accept.isSuccess} onClick={() => take()}>
          Accept the invitation
        </Button>
      ) : (
        <SomebodyElse signedInAs={signedInAs} email={email} onSignedOut={onSomebodyElse} />
      )}
    </Door>
  );
}

/** What is said at the field. */
function isOfPassword(error: unknown): boolean {
  return error instanceof Problem && (error.status === 401 || "password" in error.fields);
}

interface SomebodyElseProps {
  signedInAs: string;
  email: string;
  onSignedOut: () => void;
}

function SomebodyElse({ signedInAs, email, onSignedOut }: SomebodyElseProps) {
  const signOut = useSignOut();
  return (
    <Stack>
      <Text role="status" style={{ overflowWrap: "anywhere" }}>
        You are signed in as <b>{signedInAs}</b>, and this invitation is for <b>{email}</b>. Sign out to
        accept it; or leave it to whom it is for.
      </Text>
      {signOut.error !== null && (
        <Alert color="red" role="alert">
          {said(signOut.error)}
        </Alert>
      )}
      <Button
        loading={signOut.isPending}
        onClick={() => signOut.mutate(undefined, { onSuccess: onSignedOut })}
      >
        Sign out
      </Button>
    </Stack>
  );
}
