import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { deliveryKeys } from "@/features/activity/keys";
import { deliverySchema, type Delivery, type DeliveryInFull } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import type { DeliveryStatus } from "@/kit/delivery/schemas";
import type { Page } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

export type DeliveryDeed = { do: "retry" } | { do: "settle"; as: "sent" | "failed"; reason: string };

function becomes(deed: DeliveryDeed): DeliveryStatus {
  return deed.do === "retry" ? "pending" : deed.as;
}

async function act(id: string, deed: DeliveryDeed): Promise<Delivery> {
  const params = { path: { id } };
  switch (deed.do) {
    case "retry":
      return deliverySchema.parse(await answered(client.POST("/v1/deliveries/{id}/retry", { params }))).data;
    case "settle": {
      const body = { as: deed.as, reason: deed.reason };
      return deliverySchema.parse(await answered(client.POST("/v1/deliveries/{id}/settle", { params, body })))
        .data;
    }
  }
}

/** Shows what will be at once, and takes it back where the server does not agree. */
export function useActOnDelivery(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deed: DeliveryDeed) => act(id, deed),
    onMutate: async (deed) => {
      await queries.cancelQueries({ queryKey: deliveryKeys.all });
      const before = queries.getQueriesData({ queryKey: deliveryKeys.all });
      showAs(queries, id, becomes(deed));
      return before;
    },
    onSuccess: (_, deed) =>
      tellDone(deed.do === "retry" ? "It is tried again now." : `It is settled as ${deed.as}.`),
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveryKeys.all }),
  });
}

function showAs(queries: QueryClient, id: string, status: DeliveryStatus): void {
  queries.setQueryData<DeliveryInFull>(
    deliveryKeys.detail(id),
    (delivery) => delivery && { ...delivery, status },
  );
  queries.setQueriesData<Page<Delivery>>(
    { queryKey: deliveryKeys.lists() },
    (page) => page && { ...page, data: page.data.map((one) => (one.id === id ? { ...one, status } : one)) },
  );
}
