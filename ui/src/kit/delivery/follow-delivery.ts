import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { attemptSchema, deliveryStatusSchema } from "@/kit/delivery/schemas";
import { envelope, reads, type Documents } from "@/kit/shapes";

const followedSchema = envelope(
  reads<Documents["DeliveryInFullDocument"]>()(
    z.object({
      id: z.string(),
      status: deliveryStatusSchema,
      factId: z.string().nullable(),
      personId: z.string(),
      personName: z.string().nullable(),
      providerName: z.string().nullable(),
      address: z.string(),
      runAt: z.string(),
      finishedAt: z.string().nullable(),
      history: z.array(attemptSchema),
    }),
  ),
);
export type Followed = z.infer<typeof followedSchema>["data"];

const SOON = 1_000;
const LATER = 5_000;

async function getDelivery(id: string): Promise<Followed> {
  return followedSchema.parse(await answered(client.GET("/v1/deliveries/{id}", { params: { path: { id } } })))
    .data;
}

const deliveryOptions = (id: string) => ({
  queryKey: ["deliveries", "followed", id],
  queryFn: () => getDelivery(id),
});

export function useDeliveryOf(id: string) {
  return useQuery(deliveryOptions(id));
}

/** What becomes of a delivery: asked for until it is settled, since somebody stands before it and waits. */
export function useFollowedDelivery(id: string) {
  return useQuery({ ...deliveryOptions(id), refetchInterval: ({ state }) => pause(state.data) });
}

/** Nobody is told of an attempt that changed nothing; so one has to ask. */
function pause(delivery: Followed | undefined): number | false {
  if (delivery === undefined) return SOON;
  if (delivery.finishedAt !== null || delivery.status === "unknown") return false;
  return delivery.status === "deferred" ? LATER : SOON;
}
