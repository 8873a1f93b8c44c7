import { z } from "zod";
import type { components } from "@/api/schema";

/** A document of the API, as OpenAPI has it. */
export type Documents = components["schemas"];

/**
 * A Zod schema that reads what the API says it sends: does not compile where the two differ.
 *
 * A feature names the fields that it uses; what else a document has is left out.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- given by the caller, used by the check
export function reads<Document>() {
  return <Schema extends z.ZodType>(schema: Document extends z.input<Schema> ? Schema : never): Schema =>
    schema;
}

const pagination = z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() });

export function envelope<T extends z.ZodType>(data: T) {
  return z.object({ data });
}

export function listing<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), pagination });
}

export interface Page<T> {
  data: T[];
  pagination: z.infer<typeof pagination>;
}

/** Without what is undefined: a query has no place for it. */
export function given<T extends object>(filter: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as never;
}

/** A body as the client takes it: its types have no place for fields that are always null. */
export function sent(body: object): never {
  return body as never;
}
