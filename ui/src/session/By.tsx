import { Code } from "@mantine/core";
import { useSession } from "@/session/session";

/** Who did it, as the API names actors: `user:…`, `key:…`; or nobody in particular. */
export function By({ actor }: { actor: string | null }) {
  const session = useSession();
  if (actor === null) return <>by the system</>;
  if (actor === session.actor) return <>by you</>;
  return (
    <>
      by <Code>{actor}</Code>
    </>
  );
}
