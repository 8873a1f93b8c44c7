import { z } from "zod";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

/** What is wanted of a category on a channel; `*` is every one. The closest counts, and nothing said means yes. */
const preference = reads<Documents["PreferenceDocument"]>()(
  z.object({ category: z.string(), channel: z.string(), wanted: z.boolean() }),
);
export type Preference = z.infer<typeof preference>;
export const preferencesSchema = envelope(z.array(preference));

const category = reads<Documents["CategoryDocument"]>()(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    required: z.boolean(),
  }),
);
export type Category = z.infer<typeof category>;
export const categorySchema = envelope(category);
export const categoriesSchema = listing(category);

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "A time, such as 22:00.");
export const quietHoursSchema = z.object({ from: clock, until: clock });
export type QuietHours = z.infer<typeof quietHoursSchema>;
