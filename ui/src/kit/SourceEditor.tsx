import { Input, Textarea } from "@mantine/core";
import { useId, useRef, type UIEvent } from "react";
import classes from "@/kit/SourceEditor.module.css";

interface Props {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with it; a line that it names ("line 3: …") is marked. */
  error?: string | undefined;
  rows?: number;
  readOnly?: boolean;
}

/** A text of several lines, with their numbers. Tab leads on, as everywhere. */
export function SourceEditor({ label, description, value, onChange, error, rows = 12, readOnly }: Props) {
  const id = useId();
  const gutter = useRef<HTMLDivElement>(null);
  const wrong = lineIn(error);
  const lines = value.split("\n").length;
  const follow = (event: UIEvent<HTMLTextAreaElement>) => {
    if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
  };
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className={classes.editor} data-wrong={error !== undefined || undefined}>
        <div ref={gutter} className={classes.gutter} aria-hidden>
          {Array.from({ length: lines }, (_, line) => (
            <div key={line} data-wrong={line + 1 === wrong || undefined}>
              {line + 1}
            </div>
          ))}
        </div>
        <Textarea
          id={id}
          variant="unstyled"
          value={value}
          rows={rows}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          {...(readOnly === undefined ? {} : { readOnly })}
          aria-invalid={error !== undefined}
          classNames={{ input: classes.source ?? "" }}
          onScroll={follow}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </Input.Wrapper>
  );
}

/** The line that a message names at its beginning. */
export function lineIn(message: string | undefined): number | undefined {
  const found = /\bline (\d+)/.exec(message ?? "");
  return found === null ? undefined : Number(found[1]);
}
