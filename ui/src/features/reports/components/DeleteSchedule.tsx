import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useDeleteSchedule } from "@/features/reports/operations/delete-schedule";
import { Confirm } from "@/kit/Confirm";

/** Deletes it, after a question that says what that does. */
export function DeleteSchedule({ id, name }: { id: number; name: string }) {
  const navigate = useNavigate();
  const remove = useDeleteSchedule(id);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} />}
        onClick={() => setAsking(true)}
      >
        Delete…
      </Button>
      <Confirm
        opened={asking}
        title={`Delete ${name}?`}
        deed="Delete the schedule"
        back="Keep it"
        busy={remove.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ to: "/reports" }),
            onError: () => setAsking(false),
          })
        }
      >
        Nothing of it runs any more, and its history goes with it, for everybody. This cannot be taken back.
      </Confirm>
    </>
  );
}
