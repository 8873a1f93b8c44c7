import { useMutation, useQueryClient } from "@tanstack/react-query";
import { reservationsKeys } from "@/features/reservations/keys";
import { reservationSchema, type Reservation } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function reopenReservation(reservationId: number): Promise<Reservation> {
  const params = { path: { reservationId } };
  const reply = await answered(client.POST("/v1/reservations/{reservationId}/reopen", { params }));
  return reservationSchema.parse(reply).data;
}

export function useReopenReservation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: reopenReservation,
    onSuccess: (reservation) => {
      queries.setQueryData(reservationsKeys.one(reservation.id), reservation);
      tellDone("Who decides is asked once more.");
    },
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: reservationsKeys.all }),
  });
}
