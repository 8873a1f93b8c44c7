import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "@/kit/Confirm";
import { isStatus, said } from "@/kit/problem";

interface Props {
  name: string;
  remove: {
    error: Error | null;
    isPending: boolean;
    reset: () => void;
    mutate: (nothing: undefined, then: { onSuccess: () => void }) => void;
  };
  onDone: () => void;
}

/** Asks first. One that has reservations stays for them, and says so. */
export function DeletePlace({ name, remove, onDone }: Props) {
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Delete…
      </Button>
      <Confirm
        opened={asking}
        title={`Delete ${name}?`}
        deed="Delete it"
        busy={remove.isPending}
        onClose={close}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
      >
        <Stack gap="sm">
          {remove.error !== null && (
            <Alert color="red" role="alert">
              {isStatus(remove.error, 404) ? "It is not there any more." : said(remove.error)}
            </Alert>
          )}
          <span>Its group goes with it. Its people stay, and belong to it no more.</span>
        </Stack>
      </Confirm>
    </>
  );
}
