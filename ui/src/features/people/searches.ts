import { z } from "zod";
import { kindSchema, reasonSchema } from "@/features/people/schemas";

/** What the addresses of the pages may hold. */
const text = z.string().optional().catch(undefined);

/** `q` is how a name begins, or a whole e-mail address. */
export const peopleSearchSchema = z.object({
  q: text,
  externalId: text,
  userType: text,
  group: text,
  cursor: text,
  person: text,
});
export type PeopleFilter = Omit<z.infer<typeof peopleSearchSchema>, "person">;

export const groupsSearchSchema = z.object({ q: text, type: text, cursor: text, group: text, members: text });
export type GroupsFilter = Omit<z.infer<typeof groupsSearchSchema>, "group" | "members">;

export const importsSearchSchema = z.object({ cursor: text, import: text, errors: text });

export const suppressionsSearchSchema = z.object({
  kind: kindSchema.optional().catch(undefined),
  reason: reasonSchema.optional().catch(undefined),
  value: text,
  cursor: text,
});
export type SuppressionsFilter = z.infer<typeof suppressionsSearchSchema>;
