import { z } from "zod";
import { envelope, reads, type Documents } from "@/kit/shapes";

export const roleSchema = z.enum(["member", "admin", "operator"]);
export type Role = z.infer<typeof roleSchema>;

export const sessionSchema = envelope(
  reads<Documents["SessionDocument"]>()(
    z.object({
      actor: z.string(),
      userId: z.string().nullable(),
      email: z.string().nullable(),
      name: z.string().nullable(),
      tenant: z.string(),
      role: roleSchema,
      csrfToken: z.string().nullable(),
      personId: z.string().nullable(),
      tenants: z.array(z.object({ id: z.string(), name: z.string(), role: roleSchema })),
    }),
  ),
);
export type Session = z.infer<typeof sessionSchema>["data"];
