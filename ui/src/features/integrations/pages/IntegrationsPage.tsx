import { Anchor, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlugConnected, IconPlus, IconUserQuestion } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { IntegrationForm } from "@/features/integrations/components/IntegrationForm";
import { IntegrationRow } from "@/features/integrations/components/IntegrationRow";
import { useIntegrations } from "@/features/integrations/operations/list-integrations";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Rows } from "@/kit/Rows";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay, useSession } from "@/session/session";

const route = getRouteApi("/shell/integrations");
const TITLE = "My integrations";
const ABOUT = "Where else you can be told: chats, phones and services, by a name, to be chosen for events.";

export function IntegrationsPage() {
  const { personId } = useSession();
  return personId === null ? <NobodysIntegrations /> : <Mine />;
}

function Mine() {
  const { cursor } = route.useSearch();
  const navigate = useNavigate({ from: "/integrations" });
  const integrations = useIntegrations(cursor);
  const [opened, { open, close }] = useDisclosure();
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New integration
    </Button>
  );
  return (
    <>
      <PageHead title={TITLE} about={ABOUT}>
        {add}
      </PageHead>
      <IntegrationForm opened={opened} onClose={close} />
      <Panel>
        <Asked query={integrations}>
          {(page) =>
            page.data.length === 0 ? (
              <Empty icon={IconPlugConnected} title="No integrations yet" action={add}>
                Add one by its{" "}
                <Anchor
                  href="https://github.com/caronc/apprise/wiki"
                  target="_blank"
                  rel="noreferrer"
                  underline="always"
                >
                  Apprise URL
                </Anchor>
                , try it, and choose it on the page of an event. Without any, you are told on your own
                channels.
              </Empty>
            ) : (
              <>
                <Rows
                  label={TITLE}
                  columns="minmax(0, 1.2fr) minmax(0, 1.2fr) minmax(0, 1fr) minmax(0, 0.8fr)"
                >
                  {page.data.map((integration) => (
                    <IntegrationRow key={integration.id} integration={integration} />
                  ))}
                </Rows>
                <Pager
                  page={page}
                  cursor={cursor}
                  onTurn={(next) => void navigate({ search: { cursor: next } })}
                />
              </>
            )
          }
        </Asked>
      </Panel>
    </>
  );
}

function NobodysIntegrations() {
  const may = useMay("admin");
  return (
    <>
      <PageHead title={TITLE} about={ABOUT} />
      <Panel>
        <Empty
          icon={IconUserQuestion}
          title="Your login is nobody's yet"
          action={
            may && (
              <Button component={Link} to="/settings/users">
                Say who you are
              </Button>
            )
          }
        >
          An integration belongs to a person. {may ? "Link" : "An admin links"} your login to one under Keys
          and users.
        </Empty>
      </Panel>
    </>
  );
}
