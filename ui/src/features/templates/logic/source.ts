import { partNames, type PartName, type Source, type Template } from "@/features/templates/schemas";
import { hasTitle, type Channel } from "@/kit/channels";
import { Problem } from "@/kit/problem";
import type { Documents } from "@/kit/shapes";

export const emptySource: Source = { subject: "", markup: "", text: "" };

export function sourceOf({ subject, markup, text }: Pick<Template, PartName>): Source {
  return { subject: subject ?? "", markup: markup ?? "", text: text ?? "" };
}

/** The parts that a channel has, in the order in which one reads them. */
export function partsOf(channel: Channel): PartName[] {
  if (channel === "email") return ["subject", "markup", "text"];
  return hasTitle(channel) ? ["subject", "text"] : ["text"];
}

/** As the API takes it: what is empty is left out. */
export function bodyOf(source: Source): Documents["TemplateBody"] {
  return Object.fromEntries(
    partNames.filter((part) => source[part].trim() !== "").map((part) => [part, source[part]]),
  );
}

export function isSame(one: Source, other: Source): boolean {
  return partNames.every((part) => one[part] === other[part]);
}

/** What is wrong, part by part; a preview says `source.text`, saving says `text`. */
export function faultsIn(error: unknown): Partial<Record<PartName, string>> {
  if (!(error instanceof Problem)) return {};
  const faults = error.fields;
  return Object.fromEntries(
    partNames.flatMap((part) => {
      const message = faults[part] ?? faults[`source.${part}`];
      return message === undefined ? [] : [[part, message]];
    }),
  );
}
