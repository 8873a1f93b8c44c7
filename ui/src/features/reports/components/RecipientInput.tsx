import { TagsInput } from "@mantine/core";

interface Props {
  value: string[];
  error: string | undefined;
  onChange: (recipients: string[]) => void;
}

/** E-mail addresses, each once; several can be pasted. */
export function RecipientInput({ value, error, onChange }: Props) {
  return (
    <TagsInput
      label="Recipients"
      description="E-mail addresses; each gets a mail of their own"
      placeholder={value.length === 0 ? "Write one, and press Enter" : ""}
      required
      splitChars={[",", ";", " ", "\n"]}
      isDuplicate={(one, all) => all.some((other) => other.toLowerCase() === one.toLowerCase())}
      value={value}
      error={error}
      onChange={(recipients) => onChange(recipients.map((each) => each.trim()).filter(Boolean))}
    />
  );
}
