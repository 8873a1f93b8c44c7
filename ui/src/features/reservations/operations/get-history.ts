import { useQuery } from "@tanstack/react-query";
import { historyKeys } from "@/features/reservations/keys";
import { historySchema, type History } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";

async function getHistory(reservationId: number): Promise<History> {
  const params = { path: { reservationId } };
  const reply = await answered(client.GET("/v1/reservations/{reservationId}/history", { params }));
  return historySchema.parse(reply).data;
}

const SOON = 1_500;
const ENDED = ["succeeded", "dead", "cancelled"];

/** Whether some listener is still at it: what it does may be nothing that anybody is told of. */
function isMoving({ facts }: History): boolean {
  return facts.some(({ heardBy }) => heardBy.some(({ status }) => !ENDED.includes(status)));
}

/** For admins. */
export function useHistory(id: number) {
  return useQuery({
    queryKey: historyKeys.of(id),
    queryFn: () => getHistory(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isMoving(state.data) ? SOON : false),
  });
}
