import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "@/kit/Confirm";

/** Asks before what was written, and not saved, is left. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && place(current) !== place(next),
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <Confirm
      opened={blocker.status === "blocked"}
      title="Leave without saving?"
      deed="Leave"
      back="Stay"
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      What you changed here is not saved, and is lost when you leave.
    </Confirm>
  );
}

/** The page that one is on. A person has one of their own, though its path is that of all people. */
function place({ pathname, search }: { pathname: string; search: object }): string {
  return `${pathname} ${"person" in search ? String(search.person) : ""}`;
}
