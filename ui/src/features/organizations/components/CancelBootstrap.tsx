import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { useCancelBootstrap } from "@/features/organizations/operations/cancel-bootstrap";
import type { Bootstrap } from "@/features/organizations/schemas";
import { Confirm } from "@/kit/Confirm";

/** Has everything taken back, after a question that says what that is. */
export function CancelBootstrap({ bootstrap: { organizationId, name, domain } }: { bootstrap: Bootstrap }) {
  const cancel = useCancelBootstrap();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => setAsking(true)}>
        Cancel it…
      </Button>
      <Confirm
        opened={asking}
        title={`Cancel ${name}?`}
        deed="Cancel it"
        back="Go on with it"
        busy={cancel.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate(organizationId, { onSettled: () => setAsking(false) })}
      >
        Everything that was done is taken back: invitations, the DNS record, permissions. Then {domain} can be
        had by others. This cannot be taken back; you can ask for it anew.
      </Confirm>
    </>
  );
}
