import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Notification } from "@/kit/matter/schemas";
import { wayTo } from "@/kit/matter/way";
import { useMay } from "@/session/session";

interface Props {
  notification: Notification;
  opened: boolean;
  onOpen: (opened: boolean) => void;
}

/** From what one was told to what it is about, to who acted on it, and for who may see that to where it came from. */
export function Ways({ notification, opened, onOpen }: Props) {
  const { id, personId, factId, title, actions, handled, actionUrl, actionLabel } = notification;
  const admin = useMay("admin");
  return (
    <>
      {actionUrl !== null && <Way address={actionUrl} label={actionLabel ?? "Open"} about={title} />}
      {(actions.length > 0 || handled !== null) && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          aria-expanded={opened}
          aria-controls={`tried-${id}`}
          onClick={() => onOpen(!opened)}
        >
          Who acted
        </Anchor>
      )}
      {admin && factId !== null && (
        <>
          <Anchor component={Link} to={`/activity/${factId}`} size="xs">
            Where it came from
          </Anchor>
          <Anchor component={Link} to={`/activity/why?person=${personId}&fact=${factId}`} size="xs">
            Why me?
          </Anchor>
        </>
      )}
    </>
  );
}

function Way({ address, label, about }: { address: string; label: string; about: string }) {
  const way = wayTo(address, location.origin);
  const says = `${label}: ${about}`;
  if (way === null) return null;
  return way.is === "page" ? (
    <Anchor component={Link} to={way.to} size="xs" aria-label={says}>
      {label}
    </Anchor>
  ) : (
    <Anchor href={way.href} target="_blank" rel="noreferrer" size="xs" aria-label={says}>
      {label}
    </Anchor>
  );
}
