import { isStatus, Problem, said } from "@/kit/problem";

const LOGIN = /login/;

/** What somebody else has already, as a fault of the field that holds it; anything else as it is. */
export function takenIn(error: unknown): unknown {
  if (!isStatus(error, 409)) return error;
  const { told } = error as Problem;
  const field = LOGIN.test(told.detail) ? "userId" : "externalId";
  return new Problem({ ...told, errors: [{ field, message: said(error) }] });
}
