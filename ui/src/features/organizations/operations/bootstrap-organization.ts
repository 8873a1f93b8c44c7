import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { organizationsKeys } from "@/features/organizations/keys";
import type { BootstrapBody } from "@/features/organizations/logic/draft";
import { keyMaker } from "@/features/organizations/logic/request-key";
import { takenIn } from "@/features/organizations/logic/taken";
import { acceptedSchema } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellFailed } from "@/kit/tell";

async function bootstrapOrganization(body: BootstrapBody, key: string): Promise<string> {
  const params = { header: { "Idempotency-Key": key } };
  const asking = client.POST("/v1/organizations/bootstrap", { params, body: sent(body) });
  return acceptedSchema.parse(await answered(asking)).data.organizationId;
}

/** Asks for it once, however often it is sent. Faults of fields are for the form to show; all else is told. */
export function useBootstrapOrganization() {
  const queries = useQueryClient();
  const [keyOf] = useState(keyMaker);
  return useMutation({
    mutationFn: (body: BootstrapBody) =>
      bootstrapOrganization(body, keyOf(JSON.stringify(body))).catch((error: unknown) => {
        throw takenIn(error);
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizationsKeys.all }),
    onError: (error) => {
      if (!isStatus(error, 422)) tellFailed(error);
    },
  });
}
