import { useMutation, useQueryClient } from "@tanstack/react-query";
import { reservationsKeys } from "@/features/reservations/keys";
import type { ReservationBody } from "@/features/reservations/logic/draft";
import { reservationSchema, type Reservation } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function createReservation(body: ReservationBody): Promise<Reservation> {
  return reservationSchema.parse(await answered(client.POST("/v1/reservations", { body: sent(body) }))).data;
}

/** Faults of fields are for the form to show; all else is told. */
export function useCreateReservation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: createReservation,
    onSuccess: (reservation) => {
      queries.setQueryData(reservationsKeys.one(reservation.id), reservation);
      tellDone("The request is there. Who decides is told.");
      return queries.invalidateQueries({ queryKey: reservationsKeys.lists() });
    },
    onError: (error) => {
      if (!isStatus(error, 422)) tellFailed(error);
    },
  });
}
