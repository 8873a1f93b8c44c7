import { z } from "zod";

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** How it was settled, where somebody else was quicker. */
  handled: z.unknown().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).nullish(),
});

/** What the API answered instead of what was asked for (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly told: z.infer<typeof problemSchema>,
    /** Where what was refused can be looked at, where the answer says so. */
    readonly location: string | null = null,
  ) {
    super(told.detail || told.title);
  }

  get status(): number {
    return this.told.status;
  }

  /** Which problem it is: the last part of its type, such as `not-found`. */
  get slug(): string {
    return this.told.type.split("/").at(-1) ?? "";
  }

  /** Messages by field, for forms. */
  get fields(): Record<string, string> {
    return Object.fromEntries((this.told.errors ?? []).map(({ field, message }) => [field, message]));
  }
}

/** Nobody answered. */
export class Away extends Error {
  override readonly name = "Away";

  constructor() {
    super("The server cannot be reached.");
  }
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof Problem && error.status === status;
}

export function said(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong.";
}
