import type { Meaning } from "@/kit/theme";

export type StepKind =
  "fact" | "intent" | "listener" | "notice" | "channel" | "delivery" | "silence" | "caused";

/** What happened within a step, in milliseconds since the fact. */
export interface Mark {
  from: number;
  to: number;
  /** `work` is done, `wait` is waited, a `point` is a moment, a `receipt` is what the provider reported later. */
  look: "work" | "wait" | "point" | "receipt";
  means: Meaning;
  says: string;
}

/** One thing that came of a fact, and below it what came of that. */
export interface Step {
  /** "delivery:…": its kind, and its own id. */
  id: string;
  kind: StepKind;
  title: string;
  /** The reason, in words. */
  words: string;
  means: Meaning;
  /** Milliseconds since the fact. */
  at: number;
  marks: readonly Mark[];
  steps: readonly Step[];
}

export interface Lane {
  step: Step;
  depth: number;
}

/** The steps in the order of the picture; below what is folded, none. */
export function lanes(root: Step, folded: ReadonlySet<string>): Lane[] {
  const below = (step: Step, depth: number): Lane[] => [
    { step, depth },
    ...(folded.has(step.id) ? [] : step.steps.flatMap((child) => below(child, depth + 1))),
  ];
  return below(root, 0);
}

export function everyStep(root: Step): Step[] {
  return [root, ...root.steps.flatMap(everyStep)];
}

/** Every moment that is drawn. */
export function moments(root: Step): number[] {
  return everyStep(root).flatMap((step) => [step.at, ...step.marks.flatMap(({ from, to }) => [from, to])]);
}

const MANY = 8;

/** What begins folded: channels to more people than one takes in at a glance. */
export function foldedAtFirst(root: Step): string[] {
  return everyStep(root)
    .filter((step) => step.kind === "channel" && step.steps.length > MANY)
    .map((step) => step.id);
}
