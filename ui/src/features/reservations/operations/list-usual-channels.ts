import { useQuery } from "@tanstack/react-query";
import { usualKeys } from "@/features/reservations/keys";
import { usualsSchema, type UsualChannels } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";

async function listUsualChannels(): Promise<UsualChannels[]> {
  return usualsSchema.parse(await answered(client.GET("/v1/usual-channels"))).data;
}

export function useUsualChannels() {
  return useQuery({ queryKey: usualKeys.all, queryFn: listUsualChannels });
}
