import { useQuery } from "@tanstack/react-query";
import { historyKeys } from "@/features/reservations/keys";
import { historySchema, type History } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";

async function getHistory(reservationId: number): Promise<History> {
  const params = { path: { reservationId } };
  const reply = await answered(client.GET("/v1/reservations/{reservationId}/history", { params }));
  return historySchema.parse(reply).data;
}

/** For admins. */
export function useHistory(id: number) {
  return useQuery({ queryKey: historyKeys.of(id), queryFn: () => getHistory(id) });
}
