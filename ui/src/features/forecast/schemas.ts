import { z } from "zod";
import { reads, type Documents } from "@/kit/shapes";

const what = z.enum(["intent", "delivery"]);
export type What = z.infer<typeof what>;

const expected = z.object({
  day: z.string(),
  hour: z.number(),
  what,
  name: z.string(),
  count: z.number(),
});
export type Expected = z.infer<typeof expected>;

const coming = z.object({
  id: z.string(),
  what,
  name: z.string(),
  status: z.string(),
  at: z.string(),
  factId: z.string().nullable(),
  factType: z.string().nullable(),
  title: z.string().nullable(),
  personName: z.string().nullable(),
  timezone: z.string().nullable(),
  people: z.number().nullable(),
  peopleCapped: z.boolean(),
});
export type Coming = z.infer<typeof coming>;

export const forecastSchema = reads<Documents["ForecastReply"]>()(
  z.object({
    data: z.object({
      since: z.string(),
      until: z.string(),
      timezone: z.string(),
      expected: z.array(expected),
      capped: z.boolean(),
      held: z.number(),
      unserved: z.array(z.string()),
      coming: z.array(coming),
    }),
    pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
  }),
);
export type ForecastReply = z.infer<typeof forecastSchema>;
export type Forecast = ForecastReply["data"];

export const spans = [7, 14, 31] as const;
export type Span = (typeof spans)[number];

/** What the address of the page may hold. */
export const forecastSearchSchema = z.object({
  days: z
    .union([z.literal(7), z.literal(14), z.literal(31)])
    .optional()
    .catch(undefined),
  day: z.iso.date().optional().catch(undefined),
});
