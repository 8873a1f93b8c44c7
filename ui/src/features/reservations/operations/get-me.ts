import { useQuery } from "@tanstack/react-query";
import { meKey } from "@/features/reservations/keys";
import { meSchema } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { useSession } from "@/session/session";

async function getMe() {
  return meSchema.parse(await answered(client.GET("/v1/people/me"))).data;
}

/** The person whose login it is, if any. */
export function useMe() {
  const { personId } = useSession();
  return useQuery({ queryKey: meKey, queryFn: getMe, enabled: personId !== null });
}
