import type { MantineStyleProps } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import { viewersZone } from "@/kit/time";
import "@mantine/dates/styles.css";

interface Props {
  label: string;
  placeholder?: string;
  /** As RFC 3339 has it; undefined where none is chosen. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  w?: MantineStyleProps["w"];
}

/** A moment, chosen by the viewer's own clock. */
export function MomentInput({ label, placeholder = "Any time", value, onChange, w = 190 }: Props) {
  return (
    <DateTimePicker
      label={label}
      placeholder={placeholder}
      title={`Your time, ${viewersZone()}`}
      clearable
      valueFormat="D MMM YYYY, HH:mm"
      value={value === undefined ? null : new Date(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : moment(chosen))}
      w={w}
    />
  );
}

function moment(chosen: string): string {
  return new Date(chosen.replace(" ", "T")).toISOString();
}
