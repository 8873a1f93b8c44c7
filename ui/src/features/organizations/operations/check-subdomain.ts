import { useQuery } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { availabilitySchema, type Availability } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";
import { Problem } from "@/kit/problem";

async function checkSubdomain(subdomain: string): Promise<Availability> {
  const params = { path: { subdomain } };
  const reply = await answered(client.GET("/v1/organizations/subdomains/{subdomain}", { params }));
  return availabilitySchema.parse(reply).data;
}

/** Whether it can be had now; null where it is no subdomain yet, and nobody is asked. */
export function useAvailability(subdomain: string | null) {
  return useQuery({
    queryKey: organizationsKeys.subdomain(subdomain ?? ""),
    queryFn: () => checkSubdomain(subdomain ?? ""),
    enabled: subdomain !== null,
  });
}

/** Asked about only for what would come after it. */
const ANY = "www";

async function getDomain(): Promise<string | null> {
  try {
    return (await checkSubdomain(ANY)).domain.slice(ANY.length + 1);
  } catch (error) {
    if (error instanceof Problem && error.slug === "no-domain") return null;
    throw error;
  }
}

/** The domain under which this tenant takes organisations on; null where it has none. For admins. */
export function useDomain(asked = true) {
  return useQuery({
    queryKey: organizationsKeys.domain(),
    queryFn: getDomain,
    enabled: asked,
    staleTime: 60_000,
  });
}
