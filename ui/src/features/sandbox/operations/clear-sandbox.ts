import { useMutation, useQueryClient } from "@tanstack/react-query";
import { sandboxKeys } from "@/features/sandbox/keys";
import { clearedSchema } from "@/features/sandbox/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function clearSandbox(): Promise<number> {
  return clearedSchema.parse(await answered(client.DELETE("/v1/sandbox"))).data.removed;
}

export function useClearSandbox() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: clearSandbox,
    onSuccess: (removed) =>
      tellDone(removed === 1 ? "One message is gone." : `${removed.toLocaleString()} messages are gone.`),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxKeys.all }),
  });
}
