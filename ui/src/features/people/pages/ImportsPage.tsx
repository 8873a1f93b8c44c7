import { Stack, Title } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Columns } from "@/features/people/components/Columns";
import { ImportList } from "@/features/people/components/ImportList";
import { PeopleHead } from "@/features/people/components/PeopleHead";
import { Upload } from "@/features/people/components/Upload";
import { useImport } from "@/features/people/operations/get-import";
import { useImports } from "@/features/people/operations/list-imports";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

import classes from "@/features/people/pages/ImportsPage.module.css";

const route = getRouteApi("/shell/settings/imports");

/** Many people at once, from a file: all of them, or, where a single row is wrong, nobody. */
export function ImportsPage() {
  const navigate = useNavigate({ from: "/settings/imports" });
  const may = useMay("admin");
  return (
    <>
      <PeopleHead tab="/settings/imports" />
      <div className={classes.page}>
        <Stack>
          {may && (
            <Section
              title="Import people"
              about="All of them are taken or, where a single row is wrong, nobody is."
            >
              <Upload onEnded={(id) => void navigate({ search: { import: id }, resetScroll: false })} />
            </Section>
          )}
          <Title order={2} size="h4">
            Imports so far
          </Title>
          <Panel>
            <PastImports />
          </Panel>
        </Stack>
        {may && (
          <Section title="What the file looks like" about="CSV in UTF-8, separated by commas.">
            <Columns />
          </Section>
        )}
      </div>
    </>
  );
}

function PastImports() {
  const { cursor, import: opened, errors } = route.useSearch();
  const navigate = useNavigate({ from: "/settings/imports" });
  const imports = useImports(cursor);
  const listed = imports.data?.data.some(({ id }) => id === opened) ?? true;
  const named = useImport(opened === undefined || listed ? null : opened).data;
  return (
    <Asked query={imports}>
      {(page) =>
        page.data.length === 0 ? (
          <Empty icon={IconFileImport} title="No imports yet">
            Check a file first: it says what would be created and changed, and touches nobody.
          </Empty>
        ) : (
          <>
            <ImportList
              imports={named === undefined ? page.data : [named, ...page.data]}
              opened={opened}
              errors={errors}
              onOpen={(id) =>
                void navigate({
                  search: (now) => ({ ...now, import: id, errors: undefined }),
                  resetScroll: false,
                })
              }
              onTurn={(to) =>
                void navigate({ search: (now) => ({ ...now, errors: to }), resetScroll: false })
              }
            />
            <Pager page={page} cursor={cursor} onTurn={(to) => void navigate({ search: { cursor: to } })} />
          </>
        )
      }
    </Asked>
  );
}
