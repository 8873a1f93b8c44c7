import { z } from "zod";
import { quietHoursSchema } from "@/kit/preferences/schemas";
import { envelope, reads, type Documents } from "@/kit/shapes";

const me = reads<Documents["PersonDocument"]>()(
  z.object({
    id: z.string(),
    name: z.string(),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    quietHours: quietHoursSchema.nullable(),
    addresses: z.array(
      z.object({ id: z.string(), kind: z.string(), value: z.string(), disabledAt: z.string().nullable() }),
    ),
  }),
);
export type Me = z.infer<typeof me>;
export const meSchema = envelope(me);

export const passwordStandingSchema = envelope(
  reads<Documents["PasswordDocument"]>()(z.object({ hasOne: z.boolean(), maySet: z.boolean() })),
);
export type PasswordStanding = z.infer<typeof passwordStandingSchema>["data"];

export const SHORTEST_PASSWORD = 10;

/** What a new password must be; the server asks for the same. */
export const newPasswordSchema = z
  .object({
    current: z.string(),
    password: z
      .string()
      .min(SHORTEST_PASSWORD, `At least ${SHORTEST_PASSWORD} characters.`)
      .max(256, "At most 256 characters."),
    again: z.string(),
  })
  .refine(({ password, again }) => password === again, { path: ["again"], error: "This is not the same." });
export type NewPassword = z.infer<typeof newPasswordSchema>;
