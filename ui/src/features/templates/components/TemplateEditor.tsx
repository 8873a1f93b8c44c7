import { Alert, Badge, Button, Grid, Group, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Deeds } from "@/features/templates/components/Deeds";
import { Preview, type Sample } from "@/features/templates/components/Preview";
import { SourceParts } from "@/features/templates/components/SourceParts";
import { Beside } from "@/kit/Beside";
import { TemplateVersions } from "@/features/templates/components/TemplateVersions";
import { localeInWords } from "@/kit/locales";
import { faultsIn, isSame, sourceOf } from "@/features/templates/logic/source";
import { useSaveTemplate } from "@/features/templates/operations/save-template";
import type { Source, Template, TemplateKey } from "@/features/templates/schemas";
import { channelWords } from "@/kit/channels";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";

const route = getRouteApi("/shell/templates/$name/$channel");

interface Props {
  id: TemplateKey;
  /** The one in use, the version that is looked at, or what a new one begins from. */
  template: Template;
  isOwn: boolean;
  looksAt: number | undefined;
}

/** Source and preview beside each other; saving makes the next version. */
export function TemplateEditor({ id, template, isOwn, looksAt }: Props) {
  const { versions } = route.useSearch();
  const navigate = useNavigate({ from: "/templates/$name/$channel" });
  const before = sourceOf(template);
  const [base, setBase] = useState(before);
  const [source, setSource] = useState(before);
  if (!isSame(base, before) && isSame(base, source)) {
    setBase(before);
    setSource(before);
  }
  const [faults, setFaults] = useState<ReturnType<typeof faultsIn>>({});
  const [sample, setSample] = useState<Sample>({
    locale: id.locale,
    factId: undefined,
    data: {},
    level: "info",
  });
  const save = useSaveTemplate(id);
  const written = !isSame(source, base);
  const look = (version: number | undefined, opened = false) =>
    void navigate({
      search: ({ locale }) => ({ locale, version, versions: opened || undefined }),
      ignoreBlocker: true,
    });
  const submit = (what: Source) =>
    save.mutate(what, {
      onSuccess: () => {
        setBase(what);
        look(undefined);
      },
    });
  return (
    <>
      <PageHead
        title={`${id.name}, ${channelWords[id.channel]}`}
        about={<Standing id={id} template={template} isOwn={isOwn} />}
      >
        <Deeds
          id={id}
          retirable={isOwn && !template.builtIn && looksAt === undefined}
          sample={sample}
          unsaved={written}
          onVersions={() => look(looksAt, true)}
        />
        <Button
          loading={save.isPending}
          disabled={!written && isOwn && looksAt === undefined}
          onClick={() => submit(source)}
        >
          {looksAt !== undefined && !written ? `Go back to version ${looksAt}` : "Save"}
        </Button>
      </PageHead>
      <LeaveGuard unsaved={written && !save.isPending} />
      <Stack>
        {looksAt !== undefined && (
          <Alert color="orange" title={`Version ${looksAt}, as it was`}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">It is not what is used now. Going back to it makes it the next version.</Text>
              <Button size="xs" variant="default" onClick={() => look(undefined)}>
                Show the one in use
              </Button>
            </Group>
          </Alert>
        )}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <SourceParts
              channel={id.channel}
              source={source}
              faults={{ ...faults, ...(save.variables === source ? faultsIn(save.error) : {}) }}
              onChange={(part) => setSource({ ...source, ...part })}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Beside>
              <Preview id={id} source={source} sample={sample} onSample={setSample} onFaults={setFaults} />
            </Beside>
          </Grid.Col>
        </Grid>
      </Stack>
      <TemplateVersions
        id={id}
        opened={versions === true}
        onClose={() => look(looksAt)}
        onLook={(version) => look(version)}
      />
    </>
  );
}

function Standing({ id, template, isOwn }: Omit<Props, "looksAt">) {
  const own = isOwn && !template.builtIn;
  return (
    <Group gap={8}>
      <span>For {localeInWords(id.locale)}</span>
      <Badge variant={own ? "light" : "default"} tt="none" fw={560}>
        {own ? `yours, version ${template.version ?? 1}` : isOwn ? "ours" : "not saved yet"}
      </Badge>
      {!own && <span>Change and save it, and it is yours.</span>}
    </Group>
  );
}
