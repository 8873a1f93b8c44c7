import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usualKeys } from "@/features/reservations/keys";
import { usualSchema, type UsualChannels } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

type Chosen = Pick<UsualChannels, "userType" | "channels" | "urgent">;

/** From now on; null is as usual again. */
async function setUsualChannels(userType: string, chosen: Chosen | null): Promise<UsualChannels> {
  const params = { path: { userType } };
  const asking =
    chosen === null
      ? client.DELETE("/v1/usual-channels/{userType}", { params })
      : client.PUT("/v1/usual-channels/{userType}", {
          params,
          body: { channels: chosen.channels, urgent: chosen.urgent },
        });
  return usualSchema.parse(await answered(asking)).data;
}

export function useSetUsualChannels(userType: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (chosen: Chosen | null) => setUsualChannels(userType, chosen),
    onSuccess: (_, chosen) => tellDone(chosen === null ? "As usual again." : "Saved: it counts from now on."),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: usualKeys.all }),
  });
}
