import { Loader, Text, TextInput, ThemeIcon } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { Standing } from "@/features/organizations/operations/use-subdomain-standing";

interface Props {
  value: string;
  /** What comes after it. */
  domain: string;
  standing: Standing;
  error: string | undefined;
  onBlur: () => void;
  onChange: (value: string) => void;
}

/** The name under which it is reached, with what it comes to, and whether it can be had: asked while one types. */
export function SubdomainField({ value, domain, standing, error, onBlur, onChange }: Props) {
  return (
    <div>
      <TextInput
        label="Subdomain"
        required
        placeholder="north-clinic"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={80}
        value={value}
        error={error}
        rightSection={error === undefined ? <Sign standing={standing} /> : undefined}
        onBlur={onBlur}
        onChange={(event) => onChange(event.currentTarget.value.toLowerCase())}
      />
      <Text size="sm" c="dimmed" mt={4} role="status" style={{ overflowWrap: "anywhere" }}>
        {error === undefined && (value === "" ? `Below ${domain}.` : SAYS[standing](`${value}.${domain}`))}
      </Text>
    </div>
  );
}

const SAYS: Record<Standing, (whole: string) => React.ReactNode> = {
  unasked: (whole) => <>It will be {whole}.</>,
  asking: (whole) => <>Asking whether {whole} can be had…</>,
  free: (whole) => (
    <>
      <b>{whole}</b> can be had.
    </>
  ),
  unknown: (whole) => <>Whether {whole} can be had is not known just now; you are told when you send this.</>,
};

function Sign({ standing }: { standing: Standing }) {
  if (standing === "asking") return <Loader size={16} aria-hidden />;
  if (standing === "free")
    return (
      <ThemeIcon variant="transparent" color="teal" size={20} aria-hidden>
        <IconCheck size={18} />
      </ThemeIcon>
    );
  if (standing === "unknown")
    return (
      <ThemeIcon variant="transparent" color="gray" size={20} aria-hidden>
        <IconX size={18} />
      </ThemeIcon>
    );
  return null;
}
