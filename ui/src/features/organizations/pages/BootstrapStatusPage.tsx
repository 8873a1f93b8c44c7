import { Button, Stack, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CancelBootstrap } from "@/features/organizations/components/CancelBootstrap";
import { mailsInWords, NowSays } from "@/features/organizations/components/NowSays";
import { OrganizationStatusBadge } from "@/features/organizations/components/OrganizationStatusBadge";
import { Outcome } from "@/features/organizations/components/Outcome";
import { ProcessState } from "@/features/organizations/components/ProcessState";
import { RetryDns } from "@/features/organizations/components/RetryDns";
import { Steps } from "@/features/organizations/components/Steps";
import { doneOf, mayCancel, mayRetryDns, stepsOf } from "@/features/organizations/logic/steps";
import { useBootstrap } from "@/features/organizations/operations/get-bootstrap";
import classes from "@/features/organizations/pages/columns.module.css";
import type { Bootstrap } from "@/features/organizations/schemas";
import { Details } from "@/kit/Details";
import { PageHead } from "@/kit/PageHead";
import { Section } from "@/kit/Section";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { When } from "@/kit/When";

const route = getRouteApi("/shell/organizations/bootstrap/$id/status");

export function BootstrapStatusPage() {
  const { id } = route.useParams();
  const bootstrap = useBootstrap(id);
  if (bootstrap.data !== undefined) return <Shown bootstrap={bootstrap.data} />;
  return (
    <>
      <PageHead title="Taking on an organisation" />
      {bootstrap.error === null ? (
        <Loading />
      ) : (
        <Failed error={bootstrap.error} onRetry={() => void bootstrap.refetch()} />
      )}
    </>
  );
}

/** How far it is: each step as it happens, and what one can do about it. */
function Shown({ bootstrap }: { bootstrap: Bootstrap }) {
  const { organizationId, name, domain, status, mails, createdAt } = bootstrap;
  const shown = stepsOf(bootstrap);
  const mailed = mails.sent + mails.failed + mails.waiting > 0;
  return (
    <>
      <PageHead title={name} about={domain}>
        {mayRetryDns(bootstrap) && <RetryDns organizationId={organizationId} />}
        {mayCancel(bootstrap) && <CancelBootstrap bootstrap={bootstrap} />}
        <Button component={Link} to={`/organizations/${organizationId}`} variant="default">
          Details
        </Button>
      </PageHead>
      <Stack>
        <ProcessState bootstrap={bootstrap} />
        <div className={classes.columns}>
          <Section
            title="Taking it on"
            about={
              <Text size="sm" role="status" component="span">
                {doneOf(shown)} of {shown.length} steps are done.
              </Text>
            }
            action={<OrganizationStatusBadge status={status} />}
          >
            <Steps shown={shown} now={<NowSays bootstrap={bootstrap} />} />
          </Section>
          <Stack>
            <Outcome bootstrap={bootstrap} />
            <Section title="Where it stands">
              <Details
                of={[
                  ["Asked for", <When key="asked" at={createdAt} />],
                  ["Mails", mailed ? mailsInWords(mails) : "none yet"],
                  ["Looked up", lookedUp(bootstrap)],
                ]}
              />
            </Section>
          </Stack>
        </div>
      </Stack>
    </>
  );
}

function lookedUp({ live: { verificationTries, lastVerification } }: Bootstrap): string {
  if (verificationTries === null || verificationTries === 0) return "not yet, as far as is known";
  const times = verificationTries === 1 ? "once" : `${verificationTries} times`;
  return lastVerification === null ? times : `${times}; ${lastVerification} resolvers knew it`;
}
