import { z } from "zod";

/** What the address of the page may hold: which category is open, or that one is being made. */
export const categoriesSearchSchema = z.object({
  open: z.string().optional().catch(undefined),
  new: z.boolean().optional().catch(undefined),
});

/** What a category must be; the server asks for the same. */
export const categoryDraftSchema = z.object({
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/,
      "Letters, digits, and _ . : - after the first; at most 100.",
    ),
  name: z.string().trim().min(1, "A name, please.").max(200, "At most 200 characters."),
  description: z
    .string()
    .trim()
    .max(1000, "At most 1,000 characters.")
    .regex(/^[^\n\r]*$/, "One line, please."),
  required: z.boolean(),
});
export type CategoryDraft = z.infer<typeof categoryDraftSchema>;
