import { useQuery } from "@tanstack/react-query";
import { openedKey } from "@/features/organizations/keys";
import { openedSchema, type OpenedInvitation } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";
import { useSessionQuery } from "@/session/session";

async function lookAtInvitation(token: string): Promise<OpenedInvitation> {
  const asking = client.POST("/v1/invitations/look", { body: { token } });
  return openedSchema.parse(await answered(asking)).data;
}

/** Changes nothing. Who is signed in is asked first: the answer says whose invitation it is to them. */
export function useOpened(token: string) {
  const session = useSessionQuery();
  return useQuery({
    queryKey: openedKey,
    queryFn: () => lookAtInvitation(token),
    enabled: !session.isPending,
    staleTime: 0,
    gcTime: 0,
  });
}
