import { Button, Stack } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { BootstrapForm } from "@/features/organizations/components/BootstrapForm";
import { NoDomain } from "@/features/organizations/components/NoDomain";
import { bodyOf, EMPTY, faultsOf, type Draft } from "@/features/organizations/logic/draft";
import { useBootstrapOrganization } from "@/features/organizations/operations/bootstrap-organization";
import { useDomain } from "@/features/organizations/operations/check-subdomain";
import { useSubdomainStanding } from "@/features/organizations/operations/use-subdomain-standing";
import { useFirstFault } from "@/kit/first-fault";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { Panel } from "@/kit/Panel";
import { refusedIn } from "@/kit/refused";
import { Asked } from "@/kit/states/Asked";
import { NoPermission } from "@/kit/states/NoPermission";
import { useMay } from "@/session/session";

const TITLE = "New organisation";
const FORM = "bootstrap-organization";

/** For admins, of tenants that have a domain. */
export function BootstrapPage() {
  const admin = useMay("admin");
  const domain = useDomain(admin);
  if (admin && typeof domain.data === "string") return <Writing domain={domain.data} />;
  return (
    <>
      <PageHead title={TITLE} />
      <Panel>
        {admin ? (
          <Asked query={domain}>{() => <NoDomain />}</Asked>
        ) : (
          <NoPermission why="Organisations are taken on by the admins of a tenant." />
        )}
      </Panel>
    </>
  );
}

function Writing({ domain }: { domain: string }) {
  const navigate = useNavigate();
  const bootstrap = useBootstrapOrganization();
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [tries, setTries] = useState(0);
  const { standing, fault } = useSubdomainStanding(draft.subdomain);
  const faults = { ...(fault === undefined ? {} : { subdomain: fault }), ...faultsOf(draft) };
  const form = useFirstFault(tries, bootstrap.error);
  const submit = () => {
    setTries(tries + 1);
    if (Object.keys(faults).length > 0) return;
    bootstrap.mutate(bodyOf(draft), {
      onSuccess: (id) => void navigate({ to: `/organizations/bootstrap/${id}/status`, ignoreBlocker: true }),
    });
  };
  const unsaved = JSON.stringify(draft) !== JSON.stringify(EMPTY);
  return (
    <>
      <PageHead
        title={TITLE}
        about="It is set up step by step, under your eyes. Where a step fails, or you cancel, all is taken back."
      >
        <Button component={Link} to="/organizations" variant="default">
          Back
        </Button>
        <Button type="submit" form={FORM} loading={bootstrap.isPending}>
          Take it on
        </Button>
      </PageHead>
      <LeaveGuard unsaved={unsaved && !bootstrap.isPending && !bootstrap.isSuccess} />
      <Stack maw={960}>
        <form
          ref={form}
          id={FORM}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <BootstrapForm
            draft={draft}
            faults={faults}
            refused={refusedIn(bootstrap.error)}
            showAll={tries > 0}
            domain={domain}
            standing={standing}
            onChange={(part) => {
              bootstrap.reset();
              setDraft((was) => ({ ...was, ...part }));
            }}
          />
        </form>
      </Stack>
    </>
  );
}
