import { Button, Group, Stack, Text } from "@mantine/core";
import { IconMailOff } from "@tabler/icons-react";
import { useState } from "react";
import { invitationMeans, isTurned, mailWords, roleWords } from "@/features/organizations/logic/words";
import { useActOnInvitation } from "@/features/organizations/operations/act-on-invitation";
import { useInvitations } from "@/features/organizations/operations/list-invitations";
import type { Invitation, Organization } from "@/features/organizations/schemas";
import { Confirm } from "@/kit/Confirm";
import { Row, Rows } from "@/kit/Rows";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { Loading } from "@/kit/states/Loading";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";

/** Who was invited, and what came of it; for those who manage it. */
export function Invitations({ organization: { id, status } }: { organization: Organization }) {
  const invitations = useInvitations(id);
  return (
    <Section
      title="Invitations"
      about="A link by mail for each. Sent again, the new link counts, and the one before it is void."
    >
      <Asked query={invitations} loading={<Loading rows={3} />}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={IconMailOff} title="Nobody is invited yet">
              {isTurned(status)
                ? "It did not come that far."
                : "The people who were named are invited when the domain is verified."}
            </Empty>
          ) : (
            <Rows label="Invitations" columns="minmax(0, 1.4fr) minmax(0, 1fr)" deeds="110px">
              {all.map((invitation) => (
                <One key={invitation.id} invitation={invitation} isVoid={isTurned(status)} />
              ))}
            </Rows>
          )
        }
      </Asked>
    </Section>
  );
}

function One({ invitation, isVoid }: { invitation: Invitation; isVoid: boolean }) {
  const { name, email, role, status, mailStatus, mailError } = invitation;
  const waits = (status === "pending" || status === "expired") && !isVoid;
  const [mail, means] = mailWords[mailStatus];
  return (
    <Row faint={status === "revoked"} deeds={waits && <Deeds invitation={invitation} />}>
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {name ?? "Somebody who is not here any more"}
        </Text>
        <Text size="xs" c="dimmed">
          {email ?? "no address any more"} · {roleWords[role]}
        </Text>
      </Stack>
      <Stack gap={4} align="flex-start">
        <Group gap={4}>
          <StatusBadge status={status} means={invitationMeans[status]} />
          {status !== "accepted" && status !== "revoked" && <StatusBadge status={mail} means={means} />}
        </Group>
        <Text size="xs" c="dimmed">
          <Since invitation={invitation} />
        </Text>
        {mailStatus === "failed" && mailError !== null && (
          <Text size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: "anywhere" }}>
            {mailError}
          </Text>
        )}
      </Stack>
    </Row>
  );
}

/** Until when it is good, or since when it is not. */
function Since({ invitation }: { invitation: Invitation }) {
  const { status, expiresAt, acceptedAt, revokedAt, issue } = invitation;
  const nth = issue > 1 ? `, link number ${issue}` : "";
  if (status === "accepted" && acceptedAt !== null) return <When at={acceptedAt} />;
  if (status === "revoked" && revokedAt !== null) return <When at={revokedAt} />;
  return (
    <>
      {status === "expired" ? "ran out " : "good until "}
      <When at={expiresAt} />
      {nth}
    </>
  );
}

function Deeds({ invitation }: { invitation: Invitation }) {
  const act = useActOnInvitation(invitation);
  const [asking, setAsking] = useState(false);
  const who = invitation.name ?? "somebody";
  return (
    <>
      <Stack gap={4} align="flex-end">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Send again to ${who}`}
          loading={act.isPending && act.variables === "resend"}
          onClick={() => act.mutate("resend")}
        >
          Send again
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={`Revoke the invitation of ${who}…`}
          onClick={() => setAsking(true)}
        >
          Revoke…
        </Button>
      </Stack>
      <Confirm
        opened={asking}
        title={`Revoke the invitation of ${who}?`}
        deed="Revoke it"
        back="Keep it"
        busy={act.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => act.mutate("revoke", { onSettled: () => setAsking(false) })}
      >
        The link in the mail is void from now on, and says so. This cannot be taken back.
      </Confirm>
    </>
  );
}
