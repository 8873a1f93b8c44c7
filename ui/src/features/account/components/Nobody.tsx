import { Anchor } from "@mantine/core";
import { IconUserQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Panel } from "@/kit/Panel";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

/** A login that is no person's: nothing is ever sent to it, so it has nothing to prefer. */
export function Nobody() {
  const admin = useMay("admin");
  return (
    <Panel>
      <Empty icon={IconUserQuestion} title="Your login is nobody's yet">
        You can sign in, but what is told is told to people, and none of them is you. So there is no inbox and
        nothing to prefer.{" "}
        {admin ? (
          <>
            You can link your login to a person, or make one, under{" "}
            <Anchor component={Link} to="/settings/users" underline="always">
              Keys and users
            </Anchor>
            .
          </>
        ) : (
          "An admin of this tenant can link your login to a person."
        )}
      </Empty>
    </Panel>
  );
}
