import type { Condition, Value } from "@/features/rules/logic/conditions";
import type { RuleParts, Selector } from "@/features/rules/schemas";
import { channelWords } from "@/kit/channels";

/** A piece of the sentence: the frame, what was chosen, or a gap that is still to be filled. */
export interface Piece {
  text: string;
  is: "frame" | "given" | "gap";
}

const frame = (text: string): Piece => ({ text, is: "frame" });
const given = (text: string, gap: string): Piece =>
  text === "" ? { text: gap, is: "gap" } : { text, is: "given" };

/** What a rule does, as one would tell it to somebody. */
export function ruleInWords(rule: Omit<RuleParts, "name">): Piece[] {
  const conditions =
    rule.conditions === null ? [] : [frame(" and "), given(conditionInWords(rule.conditions), "…")];
  return [
    frame("When "),
    given(factTypeInWords(rule.factType), "some fact"),
    frame(" is recorded"),
    ...conditions,
    frame(", tell "),
    given(audienceInWords(rule.audience), "somebody"),
    frame(" by "),
    given(listed(rule.channels.map((channel) => channelWords[channel])), "some channel"),
    frame(rule.delay === null ? " at once: " : ", "),
    ...(rule.delay === null ? [] : [given(`${delayInWords(rule.delay)} later`, "later"), frame(": ")]),
    rule.title === "" ? given("", "what is to be said") : given(`“${rule.title}”`, ""),
    frame("."),
    ...after(rule),
  ];
}

function after(rule: Omit<RuleParts, "name">): Piece[] {
  return [
    ...(rule.level === "critical" ? [frame(" Quiet hours do not hold it back.")] : []),
    ...(rule.shared ? [frame(" It is one matter for all of them: one takes it, the others see so.")] : []),
    ...(rule.enabled ? [] : [frame(" It is switched off.")]),
  ];
}

export function saidIn(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join("");
}

function factTypeInWords(type: string): string {
  return type.endsWith("*") ? `any fact beginning with ${type.slice(0, -1)}` : type;
}

export function conditionInWords(condition: Condition): string {
  if ("all" in condition) return joined(condition.all, "and");
  if ("any" in condition) return joined(condition.any, "or");
  const field = condition.field === "" ? "…" : condition.field;
  if ("equals" in condition) return `${field} is ${said(condition.equals)}`;
  if ("notEquals" in condition) return `${field} is not ${said(condition.notEquals)}`;
  if ("in" in condition) return `${field} is ${listed(condition.in.map(said), "or") || "one of …"}`;
  if ("exists" in condition) return `${field} is ${condition.exists ? "there" : "missing"}`;
  if ("greater" in condition) return `${field} is more than ${said(condition.greater)}`;
  return `${field} is less than ${said(condition.less)}`;
}

function joined(conditions: readonly Condition[], word: "and" | "or"): string {
  if (conditions.length === 0) return "…";
  return conditions
    .map((each) => (isMixed(each, word) ? `(${conditionInWords(each)})` : conditionInWords(each)))
    .join(` ${word} `);
}

/** Whether it needs brackets within others. */
function isMixed(condition: Condition, within: "and" | "or"): boolean {
  if ("all" in condition) return within === "or" && condition.all.length > 1;
  if ("any" in condition) return within === "and" && condition.any.length > 1;
  return "in" in condition && within === "and" && condition.in.length > 1;
}

function said(value: Value): string {
  return value === "" ? "…" : String(value);
}

export function audienceInWords(audience: readonly Selector[]): string {
  return listed(audience.map(selectorInWords));
}

function selectorInWords(selector: Selector): string {
  const who = whoIn(selector);
  if (selector.userType === null) return who;
  return selector.by === "everyone"
    ? `everyone of type ${selector.userType}`
    : `${who} (only of type ${selector.userType})`;
}

function whoIn({ by, values, field }: Selector): string {
  const names = listed(values ?? [], "or") || "…";
  const many = (values?.length ?? 0) > 1;
  if (by === "everyone") return "everyone";
  if (field !== null) return `${NAMED_BY_FIELD[by]} ${field === "" ? "…" : field}`;
  switch (by) {
    case "group":
      return `${many ? "the groups" : "the group"} ${listed(values ?? []) || "…"}`;
    case "userType":
      return `people of type ${names}`;
    case "topic":
      return `subscribers of ${names}`;
    case "externalId":
      return values?.length === 0 ? "…" : listed(values ?? []);
    case "email":
      return values?.length === 0 ? "…" : listed(values ?? []);
    case "person":
      return values?.length === 0 ? "…" : many ? `${values?.length ?? 0} people` : "one person";
  }
}

const NAMED_BY_FIELD = {
  group: "the group named in",
  userType: "people of the type in",
  topic: "subscribers of the topic in",
  externalId: "who has the id in",
  email: "who has the address in",
  person: "the person in",
} as const;

const UNITS: Record<string, string> = { s: "second", m: "minute", h: "hour", d: "day" };

/** "15m" is "15 minutes"; what is no delay stays as it is. */
export function delayInWords(delay: string): string {
  const found = /^(\d+)([smhd])$/.exec(delay);
  if (found === null) return delay;
  const [, count = "", unit = ""] = found;
  return `${count} ${UNITS[unit] ?? unit}${count === "1" ? "" : "s"}`;
}

/** "a", "a and b", "a, b and c". */
export function listed(texts: readonly string[], word: "and" | "or" = "and"): string {
  if (texts.length <= 1) return texts[0] ?? "";
  return `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1) ?? ""}`;
}
