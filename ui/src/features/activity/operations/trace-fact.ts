import { useQuery } from "@tanstack/react-query";
import { deliveryKeys } from "@/features/activity/keys";
import { traceSchema, type Trace } from "@/features/activity/trace/schemas";
import { answered, client } from "@/kit/client";

async function traceFact(id: string): Promise<Trace> {
  return traceSchema.parse(await answered(client.GET("/v1/facts/{id}/trace", { params: { path: { id } } })))
    .data;
}

export function useTrace(id: string) {
  return useQuery({ queryKey: deliveryKeys.trace(id), queryFn: () => traceFact(id) });
}
