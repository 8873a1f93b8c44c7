import { Badge, VisuallyHidden } from "@mantine/core";
import { kindWords } from "@/features/people/logic/kinds";
import type { Address } from "@/features/people/schemas";

/** An address in a row of others; one that is not used any more says so. */
export function AddressBadge({ address }: { address: Address }) {
  const { icon: Sign, label } = kindWords[address.kind];
  const disabled = address.disabledAt !== null;
  return (
    <Badge
      variant={disabled ? "light" : "default"}
      {...(disabled ? { color: "orange" } : {})}
      tt="none"
      fw={500}
      maw={280}
      leftSection={<Sign size={13} stroke={1.6} aria-hidden />}
    >
      <VisuallyHidden>{label} </VisuallyHidden>
      {disabled ? `${address.value}, not used` : address.value}
    </Badge>
  );
}
