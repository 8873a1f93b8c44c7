import { z } from "zod";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

const apiKey = reads<Documents["KeyDocument"]>()(
  z.object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  }),
);
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeysSchema = listing(apiKey);
export const newApiKeySchema = envelope(
  reads<Documents["NewKeyDocument"]>()(z.object({ name: z.string(), secret: z.string() })),
);
export type NewApiKey = z.infer<typeof newApiKeySchema>["data"];

export const memberRoles = ["member", "admin"] as const;
export const memberRoleSchema = z.enum(memberRoles);
export type MemberRole = z.infer<typeof memberRoleSchema>;

const userFields = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: memberRoleSchema,
  operator: z.boolean(),
  disabled: z.boolean(),
  person: z.object({ id: z.string(), name: z.string() }).nullable(),
  lastSignInAt: z.string().nullable(),
});
const user = reads<Documents["UserDocument"]>()(userFields);
export type User = z.infer<typeof user>;
export const userSchema = envelope(user);
export const usersSchema = listing(user);

const signInLink = reads<Documents["LinkDocument"]>()(z.object({ url: z.string(), expiresAt: z.string() }));
export type SignInLink = z.infer<typeof signInLink>;
export const signInLinkSchema = envelope(signInLink);
export const addedUserSchema = envelope(
  reads<Documents["AddedUserDocument"]>()(userFields.extend({ link: signInLink.nullable() })),
);
export type AddedUser = z.infer<typeof addedUserSchema>["data"];

/** What the addresses of the two pages may hold. */
export const accessSearchSchema = z.object({
  cursor: z.string().optional().catch(undefined),
  new: z.boolean().optional().catch(undefined),
});
