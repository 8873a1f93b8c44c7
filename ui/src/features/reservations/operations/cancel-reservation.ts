import { useMutation, useQueryClient } from "@tanstack/react-query";
import { reservationsKeys } from "@/features/reservations/keys";
import { reservationSchema, type Reservation } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function cancelReservation(reservationId: number): Promise<Reservation> {
  const params = { path: { reservationId } };
  const reply = await answered(client.POST("/v1/reservations/{reservationId}/cancel", { params }));
  return reservationSchema.parse(reply).data;
}

export function useCancelReservation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: cancelReservation,
    onSuccess: (reservation) => {
      queries.setQueryData(reservationsKeys.one(reservation.id), reservation);
      tellDone("It is cancelled. Whoever was told of it is told.");
    },
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: reservationsKeys.all }),
  });
}
