import { useState } from "react";
import { SourceEditor } from "@/kit/SourceEditor";

interface Props {
  label: string;
  description?: string;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  error?: string | undefined;
  rows?: number;
}

/** An object, written as JSON. What is not yet JSON stays in the field, and is not passed on. */
export function JsonField({ value, onChange, error, ...rest }: Props) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (objectIn(text) === undefined || !same(objectIn(text), value)) setText(JSON.stringify(value, null, 2));
  }
  const write = (next: string) => {
    setText(next);
    const read = objectIn(next);
    if (read === undefined) return;
    setShown(read);
    onChange(read);
  };
  const wrong = objectIn(text) === undefined ? "This is not a JSON object yet." : error;
  return <SourceEditor {...rest} value={text} onChange={write} error={wrong} />;
}

export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
