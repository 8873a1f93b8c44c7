import { useQuery } from "@tanstack/react-query";
import { answered, client } from "@/kit/client";
import { inboxKeys } from "@/kit/matter/keys";
import { notificationsSchema, type Notification } from "@/kit/matter/schemas";
import type { Page } from "@/kit/shapes";
import { useSession } from "@/session/session";

async function listCopies(matter: string): Promise<Page<Notification>> {
  const ask = async (archived: boolean) => {
    const query = { matter, archived };
    return notificationsSchema.parse(await answered(client.GET("/v1/inbox", { params: { query } })));
  };
  const page = await ask(false);
  return page.data.length > 0 ? page : ask(true);
}

/** What one was told oneself of a matter, and can be acted on; put away or not. Whose login is nobody's holds none. */
export function useMyCopy(matter: string): Notification | undefined {
  const { personId } = useSession();
  const copies = useQuery({
    queryKey: inboxKeys.list({ matter }),
    queryFn: () => listCopies(matter),
    enabled: personId !== null,
  });
  return copies.data?.data.find(({ actions, handled }) => actions.length > 0 || handled !== null);
}
