import { Anchor, Breadcrumbs, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { OrganizationStatusBadge } from "@/features/organizations/components/OrganizationStatusBadge";
import { typeWords } from "@/features/organizations/logic/words";
import { useThoseAbove } from "@/features/organizations/operations/get-those-above";
import { useBelow } from "@/features/organizations/operations/list-organizations";
import type { Organization } from "@/features/organizations/schemas";
import { Details } from "@/kit/Details";
import { Section } from "@/kit/Section";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

const SUBDOMAIN: Record<Organization["subdomainStatus"], string> = {
  reserved: "reserved",
  configured: "set up, not verified yet",
  verified: "set up and verified",
  removed: "removed",
};

/** What it is, and where it stands. */
export function OrganizationDetails({ organization }: { organization: Organization }) {
  const { type, domain, path, status, active, subdomainStatus, createdAt, closedAt, error } = organization;
  return (
    <Section title="What it is">
      <Details
        of={[
          ["State", <OrganizationStatusBadge key="state" status={status} />],
          ...(status === "completed" && !active ? [["Now", "deactivated"] as const] : []),
          ["Type", typeWords[type]],
          ["Domain", domain],
          ["DNS", SUBDOMAIN[subdomainStatus]],
          ["Above it", <Above key="above" organization={organization} />],
          ["Below it", <Below key="below" id={organization.id} />],
          ["Path", path === "" ? "none until it is made" : path],
          ["Contact", <Contact key="contact" contact={organization.contact} />],
          ["Asked for", <When key="asked" at={createdAt} />],
          ...(closedAt === null ? [] : [["Done", <When key="done" at={closedAt} />] as const]),
          ...(error === null ? [] : [["Why", error] as const]),
        ]}
      />
    </Section>
  );
}

/** From the top down to its parent. */
function Above({ organization }: { organization: Organization }) {
  const above = useThoseAbove([organization]).data ?? [];
  if (organization.parentId === null) return "nothing: it stands at the top";
  if (above.length === 0) return "one that you do not see";
  return (
    <Breadcrumbs separatorMargin={4} style={{ flexWrap: "wrap" }}>
      {[...above].reverse().map(({ id, name }) => (
        <Anchor key={id} component={Link} to={`/organizations/${id}`} size="sm">
          {name}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

function Below({ id }: { id: string }) {
  const below = useBelow(id).data;
  if (below === undefined) return null;
  if (below.data.length === 0) return "no partners";
  return (
    <>
      {below.data.map((partner, place) => (
        <Text key={partner.id} component="span" size="sm">
          {place > 0 && ", "}
          <Anchor component={Link} to={`/organizations/${partner.id}`} size="sm">
            {partner.name}
          </Anchor>
        </Text>
      ))}
      {below.pagination.hasMore && " and more"}
    </>
  );
}

function Contact({ contact: { id, name } }: { contact: Organization["contact"] }) {
  const admin = useMay("admin");
  if (id === null || name === null) return "somebody who is not here any more";
  if (!admin) return name;
  return (
    <Anchor component={Link} to={`/settings/people?person=${id}`} size="sm">
      {name}
    </Anchor>
  );
}
