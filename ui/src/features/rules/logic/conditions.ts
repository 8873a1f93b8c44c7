import { z } from "zod";

export type Value = string | number | boolean | null;

/** Conditions as the API has them. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { field: string; equals: Value }
  | { field: string; notEquals: Value }
  | { field: string; in: Value[] }
  | { field: string; exists: boolean }
  | { field: string; greater: number | string }
  | { field: string; less: number | string };

const field = z.string();
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const order = z.union([z.number(), z.string()]);

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.object({ all: z.array(conditionSchema) }),
    z.object({ any: z.array(conditionSchema) }),
    z.object({ field, equals: value }),
    z.object({ field, notEquals: value }),
    z.object({ field, in: z.array(value) }),
    z.object({ field, exists: z.boolean() }),
    z.object({ field, greater: order }),
    z.object({ field, less: order }),
  ]),
);
