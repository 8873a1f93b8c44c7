import { Alert, Button, Group, Stack } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { ahead, quicker, useAct, type Deed } from "@/kit/matter/act";
import { DeedDialog } from "@/kit/matter/DeedDialog";
import { HandledNote } from "@/kit/matter/HandledNote";
import classes from "@/kit/matter/Matter.module.css";
import type { Action, Notification } from "@/kit/matter/schemas";
import { knownZone } from "@/kit/matter/way";
import { buttonWords } from "@/kit/matter/words";
import { said } from "@/kit/problem";

/**
 * What can be done about the matter of a notification; once somebody has, who did it, when and how. What is done with
 * one press is shown at once, and taken back where the server refuses it.
 */
export function Matter({ notification }: { notification: Notification }) {
  const { personId, title, timezone, actions } = notification;
  const act = useAct(notification);
  const [asking, setAsking] = useState<"POSTPONED" | "CUSTOM" | null>(null);
  const [pressed, setPressed] = useState<Date>();
  const hoped = act.isPending && asking === null && pressed !== undefined;
  const handled = notification.handled ?? (hoped ? ahead(act.variables, personId, pressed) : null);
  if (handled !== null && asking !== null) setAsking(null);
  if (handled === null && actions.length === 0) return null;

  const zone = knownZone(timezone);
  const ask = (action: Action) => {
    act.reset();
    setPressed(new Date());
    if (action === "POSTPONED" || action === "CUSTOM") setAsking(action);
    else act.mutate({ action });
  };
  return (
    <Ground label={`What to do about ${title}`} settled={handled !== null} asking={asking !== null}>
      <div role="status">
        {handled !== null && (
          <HandledNote
            handled={handled}
            me={personId}
            zone={zone}
            late={quicker(act.error) !== null && handled.by.id !== personId}
          />
        )}
      </div>
      {handled === null && (
        <Stack gap="xs">
          {act.error !== null && asking === null && (
            <Alert color="red" role="alert" p="xs">
              {said(act.error)}
            </Alert>
          )}
          <Group gap="xs">
            {actions.map((action) => (
              <Button
                key={action}
                size="xs"
                variant={action === "CONFIRMED" ? "filled" : "default"}
                onClick={() => ask(action)}
              >
                {buttonWords[action]}
              </Button>
            ))}
          </Group>
        </Stack>
      )}
      <DeedDialog
        asking={asking}
        about={title}
        zone={zone}
        busy={act.isPending}
        error={act.error}
        onClose={() => setAsking(null)}
        onDo={(deed: Deed) => act.mutate(deed)}
      />
    </Ground>
  );
}

interface GroundProps {
  label: string;
  settled: boolean;
  /** Whether one is at the dialog that a button here has opened. */
  asking: boolean;
  children: ReactNode;
}

/** Buttons that go take the focus with them: who was at one of them finds themselves at what stands there instead. */
function Ground({ label, settled, asking, children }: GroundProps) {
  const ground = useRef<HTMLDivElement>(null);
  const within = useRef(false);
  const asked = useRef(false);
  useEffect(() => {
    if (settled && (within.current || asked.current)) ground.current?.focus({ preventScroll: true });
    asked.current = asking;
  }, [settled, asking]);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- notes where the focus is, no more
    <div
      ref={ground}
      role="group"
      aria-label={label}
      tabIndex={-1}
      className={classes.ground}
      onFocus={() => (within.current = true)}
      onBlur={() => (within.current = false)}
    >
      {children}
    </div>
  );
}
