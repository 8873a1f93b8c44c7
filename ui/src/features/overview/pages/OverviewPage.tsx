import { Alert, Anchor, SimpleGrid, Stack } from "@mantine/core";
import { IconHourglass, IconPlugConnectedX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { Arrived } from "@/features/overview/components/Arrived";
import { Behind } from "@/features/overview/components/Behind";
import { Failures } from "@/features/overview/components/Failures";
import { FirstRun } from "@/features/overview/components/FirstRun";
import { Providers } from "@/features/overview/components/Providers";
import { Throughput } from "@/features/overview/components/Throughput";
import { Tiles } from "@/features/overview/components/Tiles";
import { useOverview } from "@/features/overview/operations/get-overview";
import type { Overview } from "@/features/overview/schemas";
import { useSeconds } from "@/features/overview/use-seconds";
import { PageHead } from "@/kit/PageHead";
import { meaning } from "@/kit/theme";
import { Asked } from "@/kit/states/Asked";

/** Whether all is well, at a glance; for an empty stack, the way to the first message. */
export function OverviewPage() {
  return (
    <>
      <PageHead title="Overview" about="What goes out, what waits, and what failed." />
      <Asked query={useOverview()}>{(overview) => <Shown overview={overview} />}</Asked>
    </>
  );
}

function Shown({ overview }: { overview: Overview }) {
  const { seconds, latest } = useSeconds();
  const begun = hasBegun(overview);
  const [opened] = useState(begun);
  return (
    <Stack>
      {!begun && <FirstRun begun={overview.begun} />}
      {begun && !opened && <Arrived />}
      <Nobody overview={overview} begun={begun} />
      <Tiles overview={overview} latest={latest} />
      <Throughput minutes={overview.minutes} seconds={seconds} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Providers providers={overview.providers} />
        <Failures failures={overview.failures} />
      </SimpleGrid>
      <Behind seconds={seconds} />
    </Stack>
  );
}

function hasBegun({ begun: { fact, rule, person, sandboxMessage }, minutes }: Overview): boolean {
  return fact && rule && person && (sandboxMessage || minutes.some((minute) => minute.sent > 0));
}

/** Each leads to what waits of it. */
function Kinds({ names }: { names: readonly string[] }) {
  return names.map((name, place) => (
    <Fragment key={name}>
      {place > 0 && ", "}
      <Anchor component={Link} to={`/outbox?kind=${name}`} size="sm" underline="always" c="inherit">
        {name}
      </Anchor>
    </Fragment>
  ));
}

/** In the first run, the first fact has nobody to handle it, and nobody minds. */
function Nobody({ overview, begun }: { overview: Overview; begun: boolean }) {
  if (overview.workers === 0) {
    return (
      <Alert color="red" icon={<IconPlugConnectedX size={18} />} title="No worker is running">
        Facts are recorded and nothing is lost; nothing is sent either, until <code>tidings worker</code> is
        started.
      </Alert>
    );
  }
  if (!begun || overview.kindsWithoutWorker.length === 0) return null;
  return (
    <Alert color={meaning.busy} icon={<IconHourglass size={18} />} title="Waiting for a handler">
      No running worker handles <Kinds names={overview.kindsWithoutWorker} />. Nothing is lost: it waits for
      one that does. What nobody will ever handle can be cancelled there.
    </Alert>
  );
}
