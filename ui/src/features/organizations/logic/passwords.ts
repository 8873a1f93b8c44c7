import { z } from "zod";

export const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 256;

export interface Passwords {
  password: string;
  again: string;
}

/** A new one twice, as the server wants it; or the one that there is, as it is. */
export function passwordsSchema(hasLogin: boolean) {
  if (hasLogin) return z.object({ password: z.string().min(1, "Your password, please."), again: z.string() });
  return z
    .object({
      password: z
        .string()
        .min(SHORTEST_PASSWORD, `At least ${SHORTEST_PASSWORD} characters.`)
        .max(LONGEST_PASSWORD, `At most ${LONGEST_PASSWORD} characters.`),
      again: z.string(),
    })
    .refine(({ password, again }) => password === again, { path: ["again"], error: "This is not the same." });
}
