import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accountKeys } from "@/features/account/keys";
import { client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { tellDone, tellFailed } from "@/kit/tell";

interface Change {
  /** The present one; of somebody who has none, null. */
  current: string | null;
  password: string;
}

async function changePassword(body: Change): Promise<void> {
  await client.PUT("/v1/session/password", { body });
}

/** Faults of fields are for the form to show. */
export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      tellDone("Your password is set. Wherever else you were signed in, you no longer are.");
      return queries.invalidateQueries({ queryKey: accountKeys.password });
    },
    onError: (error) => {
      if (!isStatus(error, 422)) tellFailed(error);
    },
  });
}
