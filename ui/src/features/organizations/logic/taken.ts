import { Problem } from "@/kit/problem";

/** That somebody has the subdomain meanwhile, as a fault of its field; anything else as it is. */
export function takenIn(error: unknown): unknown {
  if (!(error instanceof Problem) || error.slug !== "subdomain-taken") return error;
  const errors = [{ field: "subdomain", message: error.message }];
  return new Problem({ ...error.told, status: 422, errors });
}
