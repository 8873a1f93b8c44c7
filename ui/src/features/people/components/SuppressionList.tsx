import { Anchor, Button, Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import rows from "@/features/people/components/rows.module.css";
import { kindWords } from "@/features/people/logic/kinds";
import { useLiftSuppression } from "@/features/people/operations/lift-suppression";
import type { Reason, Suppression } from "@/features/people/schemas";
import { Confirm } from "@/kit/Confirm";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

export const REASONS: Record<Reason, { says: string; means: Meaning; risk: string }> = {
  bounced: {
    says: "bounced",
    means: "warning",
    risk: "Its mailbox answered that it does not take mail. Where that is still so, it bounces again.",
  },
  complained: {
    says: "complained",
    means: "bad",
    risk: "Somebody there called our mail unwanted. Sending again without their word harms how we are received.",
  },
  manual: { says: "by hand", means: "waiting", risk: "Somebody of yours added it." },
};

/** Where nothing is sent, why, since when; and the way back. */
export function SuppressionList({ suppressions }: { suppressions: readonly Suppression[] }) {
  const [lifting, setLifting] = useState<Suppression>();
  const lift = useLiftSuppression();
  return (
    <>
      <ul className={rows.list} aria-label="Suppressions">
        {suppressions.map((one) => (
          <Row key={`${one.kind} ${one.fingerprint}`} suppression={one} onLift={() => setLifting(one)} />
        ))}
      </ul>
      <Confirm
        opened={lifting !== undefined}
        title="Send there again?"
        deed="Lift it"
        danger={lifting?.reason !== "manual"}
        onClose={() => setLifting(undefined)}
        onConfirm={() => {
          if (lifting !== undefined) lift.mutate(lifting);
          setLifting(undefined);
        }}
      >
        <Code>{lifting?.value}</Code> gets messages again, of whomever it belongs to.{" "}
        {lifting !== undefined && REASONS[lifting.reason].risk}
      </Confirm>
    </>
  );
}

function Row({ suppression, onLift }: { suppression: Suppression; onLift: () => void }) {
  const may = useMay("admin");
  const { icon: Sign, label } = kindWords[suppression.kind];
  const { says, means } = REASONS[suppression.reason];
  return (
    <li className={`${rows.row} ${rows.suppression}`}>
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Sign size={18} stroke={1.6} aria-label={label} role="img" style={{ flex: "none" }} />
        <Text size="sm" fw={560}>
          {suppression.value}
        </Text>
      </Group>
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <StatusBadge status={says} means={means} />
          {suppression.deliveryId !== null && (
            <Anchor component={Link} to={`/activity/deliveries?delivery=${suppression.deliveryId}`} size="xs">
              The delivery
            </Anchor>
          )}
        </Group>
        {suppression.detail !== null && (
          <Text size="xs" c="dimmed">
            {suppression.detail}
          </Text>
        )}
      </Stack>
      <Text size="xs" c="dimmed">
        <When at={suppression.createdAt} />
      </Text>
      {may && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Lift ${suppression.value}…`}
          onClick={onLift}
        >
          Lift…
        </Button>
      )}
    </li>
  );
}
