import { Select, Stack } from "@mantine/core";
import { IconBuildingCommunity } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { NewOrganization } from "@/features/organizations/components/NewOrganization";
import { NoDomain } from "@/features/organizations/components/NoDomain";
import { OrganizationTree } from "@/features/organizations/components/OrganizationTree";
import { statusWords } from "@/features/organizations/logic/words";
import { useDomain } from "@/features/organizations/operations/check-subdomain";
import { useThoseAbove } from "@/features/organizations/operations/get-those-above";
import { useOrganizations } from "@/features/organizations/operations/list-organizations";
import { statuses, type OrganizationsFilter } from "@/features/organizations/searches";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/organizations");

/** All of the tenant for its admins; for others those that they belong to, and what is below them. */
export function OrganizationsPage() {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: "/organizations" });
  const organizations = useOrganizations(filter);
  const above = useThoseAbove(organizations.data?.data);
  const domain = useDomain(useMay("admin"));
  const narrow = (change: Partial<OrganizationsFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  return (
    <>
      <PageHead
        title="Organisations"
        about="Groups of people, each under a domain of its own; partners stand below their parents."
      >
        {domain.data !== null && <NewOrganization />}
      </PageHead>
      <Stack>
        {(filter.status !== undefined || organizations.data?.data.length !== 0) && (
          <Select
            label="State"
            placeholder="Any"
            clearable
            data={statuses.map((value) => ({ value, label: statusWords[value] }))}
            value={filter.status ?? null}
            onChange={(status) => narrow({ status: status ?? undefined })}
            w={{ base: "100%", xs: 190 }}
          />
        )}
        <Panel>
          <Asked query={organizations}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing filter={filter} hasDomain={domain.data !== null} />
              ) : (
                <>
                  <OrganizationTree organizations={page.data} above={above.data ?? []} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

function Nothing({ filter, hasDomain }: { filter: OrganizationsFilter; hasDomain: boolean }) {
  const admin = useMay("admin");
  if (filter.status !== undefined)
    return (
      <Empty icon={IconBuildingCommunity} title="No such organisation">
        None is in this state. Take the filter away to see the others.
      </Empty>
    );
  if (!hasDomain) return <NoDomain />;
  return (
    <Empty icon={IconBuildingCommunity} title="No organisations yet" action={<NewOrganization />}>
      {admin
        ? "Taking one on sets up its domain, waits until the world can see it, invites its people, and takes everything back where that fails."
        : "You belong to none. Whoever manages one can invite you; the mail has a link."}
    </Empty>
  );
}
