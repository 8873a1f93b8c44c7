import { useDebouncedValue } from "@mantine/hooks";
import { subdomainSchema } from "@/features/organizations/logic/draft";
import { useAvailability } from "@/features/organizations/operations/check-subdomain";

/** `unasked` while it cannot be one, or may not be had: then there is a fault that says so. */
export type Standing = "unasked" | "asking" | "free" | "unknown";

const PAUSE = 300;

/** Whether a subdomain can be had, asked when one pauses; and the fault where somebody has it. */
export function useSubdomainStanding(subdomain: string): { standing: Standing; fault: string | undefined } {
  const isOne = subdomainSchema.safeParse(subdomain).success;
  const [paused] = useDebouncedValue(isOne ? subdomain : null, PAUSE);
  const asked = isOne && paused === subdomain ? subdomain : null;
  const availability = useAvailability(asked);
  const standing = (): Standing => {
    if (!isOne) return "unasked";
    if (asked === null || availability.isPending) return availability.error === null ? "asking" : "unknown";
    return availability.data?.available === true ? "free" : "unasked";
  };
  const refused = asked === null ? undefined : availability.data;
  return {
    standing: availability.error !== null && asked !== null ? "unknown" : standing(),
    fault: refused?.available === false ? `This ${refused.reason ?? "cannot be had"}.` : undefined,
  };
}
