import { isStatus, Problem, said } from "@/kit/problem";

/** That another group has this external id, as a fault of its field; anything else as it is. */
export function taken(error: unknown): unknown {
  if (!isStatus(error, 409)) return error;
  return new Problem({ ...(error as Problem).told, errors: [{ field: "externalId", message: said(error) }] });
}
