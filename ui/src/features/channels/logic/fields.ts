import { z } from "zod";
import { capital } from "@/features/channels/logic/words";

interface Common {
  name: string;
  label: string;
  description: string | undefined;
  required: boolean;
}

/** One thing that a type of provider has to be told, as a form asks for it. */
export type ConfigField =
  | (Common & { kind: "text"; initial: string })
  | (Common & { kind: "secret"; isDocument: boolean })
  | (Common & { kind: "number"; initial: number | ""; min: number | undefined; max: number | undefined })
  | (Common & { kind: "choice"; initial: string; options: string[] })
  | (Common & { kind: "flag"; initial: boolean });

const part = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  writeOnly: z.boolean().optional(),
  contentMediaType: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const propertySchema = part.extend({
  anyOf: z.array(part).optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
});
type Property = z.infer<typeof propertySchema>;

const objectSchema = z.object({
  description: z.string().optional(),
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

/** What a type of provider has to be told, in the order in which its schema has it. */
export function fieldsOf(schema: unknown): ConfigField[] {
  const { properties, required } = objectSchema.parse(schema);
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property, required));
}

export function aboutIn(schema: unknown): string | undefined {
  return objectSchema.parse(schema).description;
}

function fieldOf(name: string, property: Property, required: readonly string[]): ConfigField {
  const said = { ...property, ...property.anyOf?.find((each) => each.type !== "null") };
  const common = {
    name,
    label: labelOf(name),
    description: property.description,
    required: required.includes(name),
  };
  const { default: initial } = property;
  if (said.writeOnly === true)
    return { ...common, kind: "secret", isDocument: said.contentMediaType === "application/json" };
  if (said.enum !== undefined)
    return { ...common, kind: "choice", initial: text(initial), options: said.enum };
  if (said.type === "boolean") return { ...common, kind: "flag", initial: initial === true };
  if (said.type === "integer" || said.type === "number")
    return {
      ...common,
      kind: "number",
      initial: typeof initial === "number" ? initial : "",
      min: said.minimum,
      max: said.maximum,
    };
  return { ...common, kind: "text", initial: text(initial) };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const SPELT: Record<string, string> = { url: "URL", sid: "SID", api: "API", id: "id" };

/** "fromAddress" as "From address", "baseUrl" as "Base URL". */
export function labelOf(name: string): string {
  const words = name.split(/(?=[A-Z])/).map((word) => SPELT[word.toLowerCase()] ?? word.toLowerCase());
  const [first = "", ...rest] = words;
  return [capital(first), ...rest].join(" ");
}
