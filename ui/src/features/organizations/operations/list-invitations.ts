import { useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { invitationsSchema, type Invitation } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";

async function listInvitations(organizationId: string): Promise<Invitation[]> {
  const params = { path: { organizationId } };
  const reply = await answered(client.GET("/v1/organizations/{organizationId}/invitations", { params }));
  return invitationsSchema.parse(reply).data;
}

/** For those who manage them. */
export function useInvitations(organizationId: string) {
  return useQuery({
    queryKey: organizationsKeys.invitations(organizationId),
    queryFn: () => listInvitations(organizationId),
  });
}
