import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { reservationsKeys } from "@/features/reservations/keys";
import { reservationsSchema, type Reservation } from "@/features/reservations/schemas";
import type { ReservationsFilter } from "@/features/reservations/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listReservations(filter: ReservationsFilter): Promise<Page<Reservation>> {
  const query = given(filter);
  return reservationsSchema.parse(await answered(client.GET("/v1/reservations", { params: { query } })));
}

export function useReservations(filter: ReservationsFilter) {
  return useQuery({
    queryKey: reservationsKeys.list(filter),
    queryFn: () => listReservations(filter),
    placeholderData: keepPreviousData,
  });
}
