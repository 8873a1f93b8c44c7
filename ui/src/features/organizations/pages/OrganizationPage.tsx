import { Button, Stack } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Invitations } from "@/features/organizations/components/Invitations";
import { OrganizationDetails } from "@/features/organizations/components/OrganizationDetails";
import { Permissions } from "@/features/organizations/components/Permissions";
import { Timeline } from "@/features/organizations/components/Timeline";
import { useOrganization } from "@/features/organizations/operations/get-organization";
import classes from "@/features/organizations/pages/columns.module.css";
import type { Organization } from "@/features/organizations/schemas";
import { PageHead } from "@/kit/PageHead";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";

const route = getRouteApi("/shell/organizations/$id");

export function OrganizationPage() {
  const { id } = route.useParams();
  const organization = useOrganization(id);
  if (organization.data !== undefined) return <Shown organization={organization.data} />;
  return (
    <>
      <PageHead title="Organisation" />
      {organization.error === null ? (
        <Loading />
      ) : (
        <Failed error={organization.error} onRetry={() => void organization.refetch()} />
      )}
    </>
  );
}

/** One organisation: what it is, who belongs to it or may, and all that happened to it. */
function Shown({ organization }: { organization: Organization }) {
  const { id, name, domain, mayManage } = organization;
  return (
    <>
      <PageHead title={name} about={domain}>
        <Button component={Link} to={`/organizations/bootstrap/${id}/status`} variant="default">
          How it was taken on
        </Button>
      </PageHead>
      <div className={classes.columns}>
        <Stack>
          <OrganizationDetails organization={organization} />
          {mayManage && <Invitations organization={organization} />}
          <Permissions organizationId={id} />
        </Stack>
        <Timeline organizationId={id} />
      </div>
    </>
  );
}
