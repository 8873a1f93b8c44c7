import { Code, type InputWrapperProps } from "@mantine/core";
import type { ReactNode } from "react";
import { capital } from "@/features/channels/logic/words";

/** What is said of a field stands below it, so that controls beside each other are on one line. */
export const inputWrapperOrder: NonNullable<InputWrapperProps["inputWrapperOrder"]> = [
  "label",
  "input",
  "description",
  "error",
];

/** Schemas write code in backticks. */
export function described(description: string | undefined): ReactNode {
  if (description === undefined) return undefined;
  const parts = capital(description).split("`");
  return parts.map((part, n) => (n % 2 === 1 ? <Code key={n}>{part}</Code> : part));
}
