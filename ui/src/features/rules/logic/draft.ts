import { randomId } from "@mantine/hooks";
import { conditionsOf, rootOf, type GroupDraft } from "@/features/rules/logic/condition-draft";
import type { By, Level, RuleParts, Selector } from "@/features/rules/schemas";
import type { Channel } from "@/kit/channels";
import type { Documents } from "@/kit/shapes";

export type RuleBody = Documents["NewRuleBody"];
export type ChangesBody = Documents["RuleChangesBody"];
export type TrialBody = Documents["TrialBody"];

export interface SelectorDraft {
  id: string;
  by: By;
  /** Whether whom it means is written here, or stands in the fact. */
  from: "values" | "field";
  values: string[];
  field: string;
  userType: string;
}

/** A rule while it is being written. */
export interface Draft {
  name: string;
  enabled: boolean;
  factType: string;
  conditions: GroupDraft;
  audience: SelectorDraft[];
  title: string;
  body: string;
  template: string;
  channels: Channel[];
  level: Level;
  category: string;
  delay: string;
  shared: boolean;
  properties: Record<string, unknown>;
}

export function newSelector(by: By = "everyone"): SelectorDraft {
  return { id: randomId(), by, from: "values", values: [], field: "", userType: "" };
}

export function emptyDraft(factType = ""): Draft {
  return {
    name: "",
    enabled: true,
    factType,
    conditions: rootOf(null),
    audience: [newSelector()],
    title: "",
    body: "",
    template: "notice",
    channels: [],
    level: "info",
    category: "general",
    delay: "",
    shared: false,
    properties: {},
  };
}

export function draftOf(rule: RuleParts): Draft {
  return {
    name: rule.name,
    enabled: rule.enabled,
    factType: rule.factType,
    conditions: rootOf(rule.conditions),
    audience: rule.audience.map(selectorDraftOf),
    title: rule.title,
    body: rule.body,
    template: rule.template,
    channels: rule.channels,
    level: rule.level,
    category: rule.category,
    delay: rule.delay ?? "",
    shared: rule.shared,
    properties: rule.properties,
  };
}

function selectorDraftOf({ by, values, field, userType }: Selector): SelectorDraft {
  return {
    ...newSelector(by),
    from: field === null ? "values" : "field",
    values: values ?? [],
    field: field ?? "",
    userType: userType ?? "",
  };
}

/** What the rule says as it stands; for its words, and for what is sent. */
export function partsOf(draft: Draft): RuleParts {
  return {
    ...draft,
    name: draft.name.trim(),
    factType: draft.factType.trim(),
    conditions: conditionsOf(draft.conditions),
    audience: draft.audience.map(selectorOf),
    delay: draft.delay.trim() === "" ? null : draft.delay.trim(),
  };
}

function selectorOf({ by, from, values, field, userType }: SelectorDraft): Selector {
  return {
    by,
    values: by === "everyone" || from === "field" ? null : values,
    field: by === "everyone" || from === "values" ? null : field.trim(),
    userType: userType.trim() === "" ? null : userType.trim(),
  };
}

/** As the API takes a new rule. The server reads every selector by its `by`, and says what does not fit. */
export function bodyOf(draft: Draft): RuleBody {
  return partsOf(draft) as RuleBody;
}

/** Only what is different, so that a change that changes nothing makes no version. */
export function changesOf(before: Draft, now: Draft): ChangesBody {
  const was = partsOf(before);
  return Object.fromEntries(
    Object.entries(partsOf(now)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof RuleParts]),
    ),
  );
}

export function isChanged(before: Draft, now: Draft): boolean {
  return Object.keys(changesOf(before, now)).length > 0;
}

/** What must be there before it can be tried, in words. */
export function missingIn(draft: Draft): string[] {
  const parts = partsOf(draft);
  const told = parts.audience.length > 0 && parts.audience.every(isWhole);
  return [
    ...(parts.factType === "" ? ["a fact type"] : []),
    ...(told ? [] : ["who is told"]),
    ...(parts.title === "" ? ["a title"] : []),
    ...(parts.body === "" ? ["a body"] : []),
    ...(parts.channels.length === 0 ? ["a channel"] : []),
  ];
}

function isWhole({ by, values, field }: Selector): boolean {
  return by === "everyone" || (values?.length ?? 0) > 0 || (field ?? "") !== "";
}
