import type { ConfigField } from "@/features/channels/logic/fields";
import type { Provider } from "@/features/channels/schemas";

/** What is written in a field. Of a secret: '' leaves it as it is, null takes it away. */
export type ConfigValue = string | number | boolean | null;

/** A provider as its form has it. What is empty is not set. */
export interface Draft {
  name: string;
  config: Record<string, ConfigValue>;
  priority: number | "";
  concurrency: number | "";
  rateCount: number | "";
  ratePeriod: string;
  onUnknown: "resend" | "hold" | null;
  maxAttempts: number | "";
  expiresAfter: string;
}

export function emptyDraft(name: string, fields: readonly ConfigField[]): Draft {
  return {
    name,
    config: Object.fromEntries(fields.map((field) => [field.name, initialOf(field)])),
    priority: 100,
    concurrency: "",
    rateCount: "",
    ratePeriod: "1s",
    onUnknown: null,
    maxAttempts: "",
    expiresAfter: "",
  };
}

export function draftOf(provider: Provider, fields: readonly ConfigField[]): Draft {
  return {
    name: provider.name,
    config: Object.fromEntries(fields.map((field) => [field.name, writtenOf(field, provider.config)])),
    priority: provider.priority,
    concurrency: provider.concurrency ?? "",
    rateCount: provider.rate?.count ?? "",
    ratePeriod: provider.rate?.period ?? "1s",
    onUnknown: provider.onUnknown,
    maxAttempts: provider.maxAttempts ?? "",
    expiresAfter: provider.expiresAfter ?? "",
  };
}

function initialOf(field: ConfigField): ConfigValue {
  return field.kind === "secret" ? "" : field.initial;
}

function writtenOf(field: ConfigField, config: Record<string, unknown>): ConfigValue {
  const value = config[field.name];
  if (field.kind === "secret" || value === null || value === undefined) return emptyOf(field);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : JSON.stringify(value);
}

function emptyOf(field: ConfigField): ConfigValue {
  return field.kind === "flag" ? false : "";
}

/** As the API takes it. */
export function bodyOf(draft: Draft, fields: readonly ConfigField[]) {
  return {
    name: draft.name.trim(),
    config: configOf(draft, fields),
    priority: draft.priority === "" ? undefined : draft.priority,
    concurrency: orNull(draft.concurrency),
    rate: draft.rateCount === "" ? null : { count: draft.rateCount, period: draft.ratePeriod.trim() },
    onUnknown: draft.onUnknown,
    maxAttempts: orNull(draft.maxAttempts),
    expiresAfter: orNull(draft.expiresAfter.trim()),
  };
}

/** What is not as it was. A configuration is sent whole, but for the secrets that stay as they are. */
export function changesOf(before: Draft, draft: Draft, fields: readonly ConfigField[]) {
  const [was, is] = [bodyOf(before, fields), bodyOf(draft, fields)];
  return Object.fromEntries(
    Object.entries(is).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof was]),
    ),
  );
}

export function isChanged(before: Draft, draft: Draft, fields: readonly ConfigField[]): boolean {
  return Object.keys(changesOf(before, draft, fields)).length > 0;
}

function configOf({ config }: Draft, fields: readonly ConfigField[]): Record<string, ConfigValue> {
  const given = fields.map(({ name }) => [name, config[name] ?? null] as const);
  const secret = new Set(fields.filter(({ kind }) => kind === "secret").map(({ name }) => name));
  return Object.fromEntries(
    given.filter(([name, value]) => value !== "" && (value !== null || secret.has(name))),
  );
}

function orNull<T>(value: T | ""): T | null {
  return value === "" ? null : value;
}
