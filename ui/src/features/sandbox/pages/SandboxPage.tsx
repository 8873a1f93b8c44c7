import { Drawer, Grid, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Clear } from "@/features/sandbox/components/Clear";
import { Filters } from "@/features/sandbox/components/Filters";
import { KeptList } from "@/features/sandbox/components/KeptList";
import { KeptMessage } from "@/features/sandbox/components/KeptMessage";
import { Nothing, NothingOpen } from "@/features/sandbox/components/Nothing";
import { useKeptList } from "@/features/sandbox/operations/list-kept";
import classes from "@/features/sandbox/pages/SandboxPage.module.css";
import type { SandboxFilter } from "@/features/sandbox/schemas";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/sandbox");
const WIDE = "(min-width: 62em)";

/** Every message that the sandbox kept, as it would have looked. */
export function SandboxPage() {
  const { message, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/sandbox" });
  const kept = useKeptList(filter);
  const may = useMay("admin");
  const narrow = (change: Partial<SandboxFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, message: undefined, ...change }) });
  const open = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, message: id }) });
  const narrowed = filter.channel !== undefined || filter.personId !== undefined;
  const some = (kept.data?.data.length ?? 0) > 0;
  return (
    <>
      <PageHead title="Sandbox" about="What was kept in place of being sent, as it would have looked.">
        {may && (some || narrowed) && <Clear onCleared={() => narrow({})} />}
      </PageHead>
      <Stack>
        {(some || narrowed) && <Filters filter={filter} onChange={narrow} />}
        <Asked query={kept}>
          {(page) =>
            page.data.length === 0 ? (
              <Panel>
                <Nothing narrowed={narrowed} />
              </Panel>
            ) : (
              <Beside opened={message} onClose={() => open(undefined)}>
                <KeptList messages={page.data} opened={message} onOpen={open} />
                <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
              </Beside>
            )
          }
        </Asked>
      </Stack>
    </>
  );
}

interface BesideProps {
  opened: string | undefined;
  onClose: () => void;
  children: React.ReactNode;
}

/** The list, and beside it the message that is open; over it where there is no room. */
function Beside({ opened, onClose, children }: BesideProps) {
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
        <Panel>{children}</Panel>
      </Grid.Col>
      {wide ? (
        <Grid.Col span={{ md: 7, lg: 8 }}>
          <Panel p="md" className={classes.beside ?? ""}>
            {opened === undefined ? <NothingOpen /> : <KeptMessage key={opened} id={opened} />}
          </Panel>
        </Grid.Col>
      ) : (
        <Drawer opened={opened !== undefined} onClose={onClose} position="right" size="xl" title="Message">
          {opened !== undefined && <KeptMessage key={opened} id={opened} />}
        </Drawer>
      )}
    </Grid>
  );
}
