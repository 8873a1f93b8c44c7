import { randomId } from "@mantine/hooks";
import type { Condition } from "@/features/rules/logic/conditions";
import { valueOf, written } from "@/features/rules/logic/values";

export const operators = ["equals", "notEquals", "in", "greater", "less", "exists", "missing"] as const;
export type Operator = (typeof operators)[number];

/** Conditions while they are being written: every one has an id, and what was typed stays as it was typed. */
export interface TermDraft {
  kind: "term";
  id: string;
  field: string;
  operator: Operator;
  value: string;
  values: string[];
}
export interface GroupDraft {
  kind: "group";
  id: string;
  match: "all" | "any";
  of: NodeDraft[];
}
export type NodeDraft = TermDraft | GroupDraft;

export function newTerm(field = ""): TermDraft {
  return { kind: "term", id: randomId(), field, operator: "equals", value: "", values: [] };
}

export function newGroup(match: GroupDraft["match"], of: NodeDraft[] = []): GroupDraft {
  return { kind: "group", id: randomId(), match, of };
}

/** One group at the root, whatever was written: a condition alone is a group of one. */
export function rootOf(condition: Condition | null): GroupDraft {
  if (condition === null) return newGroup("all");
  const node = nodeOf(condition);
  return node.kind === "group" ? node : newGroup("all", [node]);
}

function nodeOf(condition: Condition): NodeDraft {
  if ("all" in condition) return newGroup("all", condition.all.map(nodeOf));
  if ("any" in condition) return newGroup("any", condition.any.map(nodeOf));
  const term = newTerm(condition.field);
  if ("equals" in condition) return { ...term, value: written(condition.equals) };
  if ("notEquals" in condition)
    return { ...term, operator: "notEquals", value: written(condition.notEquals) };
  if ("in" in condition) return { ...term, operator: "in", values: condition.in.map(written) };
  if ("exists" in condition) return { ...term, operator: condition.exists ? "exists" : "missing" };
  if ("greater" in condition) return { ...term, operator: "greater", value: written(condition.greater) };
  return { ...term, operator: "less", value: written(condition.less) };
}

/** As the API takes it; null where there are none. */
export function conditionsOf(root: GroupDraft): Condition | null {
  return root.of.length === 0 ? null : conditionOf(root);
}

function conditionOf(node: NodeDraft): Condition {
  if (node.kind === "group") {
    const of = node.of.map(conditionOf);
    return node.match === "all" ? { all: of } : { any: of };
  }
  return termOf(node);
}

function termOf({ field: typed, operator, value, values }: TermDraft): Condition {
  const field = typed.trim();
  switch (operator) {
    case "equals":
      return { field, equals: valueOf(value) };
    case "notEquals":
      return { field, notEquals: valueOf(value) };
    case "in":
      return { field, in: values.map(valueOf) };
    case "greater":
      return { field, greater: orderOf(value) };
    case "less":
      return { field, less: orderOf(value) };
    case "exists":
      return { field, exists: true };
    case "missing":
      return { field, exists: false };
  }
}

function orderOf(value: string): number | string {
  const meant = valueOf(value);
  return typeof meant === "number" ? meant : value.trim();
}
