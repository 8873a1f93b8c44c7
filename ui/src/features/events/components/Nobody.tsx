import { Alert, Anchor } from "@mantine/core";
import { IconUserQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { meaning } from "@/kit/theme";
import { useMay } from "@/session/session";

/** A login that is no person's: it can look, and cannot join. Says what to do about it. */
export function Nobody({ children }: { children: string }) {
  const admin = useMay("admin");
  return (
    <Alert
      color={meaning.busy}
      icon={<IconUserQuestion size={18} />}
      title="Your login is nobody's yet"
      role="note"
    >
      {children}{" "}
      {admin ? (
        <>
          Link your login to a person, or make one, under{" "}
          <Anchor component={Link} to="/settings/users" size="sm" underline="always">
            Keys and users
          </Anchor>
          .
        </>
      ) : (
        "An admin of this tenant can link your login to a person."
      )}
    </Alert>
  );
}
