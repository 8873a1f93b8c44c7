import { useQuery } from "@tanstack/react-query";
import { reservationsKeys } from "@/features/reservations/keys";
import { reservationSchema, type Reservation } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";

async function getReservation(reservationId: number): Promise<Reservation> {
  const params = { path: { reservationId } };
  const reply = await answered(client.GET("/v1/reservations/{reservationId}", { params }));
  return reservationSchema.parse(reply).data;
}

export function useReservation(id: number) {
  return useQuery({ queryKey: reservationsKeys.one(id), queryFn: () => getReservation(id) });
}
