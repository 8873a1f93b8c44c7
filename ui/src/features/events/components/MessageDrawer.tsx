import { Anchor, Drawer, Group, Paper, Select, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { kindInWords, LevelBadge, ResultBadge, resultWord } from "@/features/events/components/badges";
import { isCounting } from "@/features/events/logic/messages";
import { useTotals } from "@/features/events/operations/get-totals";
import { useResults } from "@/features/events/operations/list-results";
import { resultStatuses, type Result, type ResultStatus, type Totals } from "@/features/events/schemas";
import { Pager } from "@/kit/Pager";
import { Row, Rows } from "@/kit/Rows";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { meaning, type Meaning } from "@/kit/theme";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";
import { amountOf } from "@/kit/words";

interface Narrowed {
  status: ResultStatus | undefined;
  cursor: string | undefined;
}

interface Props extends Narrowed {
  eventId: number;
  id: string | undefined;
  onNarrow: (to: Narrowed) => void;
  onClose: () => void;
}

/** One message: what it said, how many heard of it, and what became of it for each of them. */
export function MessageDrawer({ id, onClose, ...rest }: Props) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="What was said">
      {id !== undefined && <Content id={id} {...rest} />}
    </Drawer>
  );
}

type ContentProps = Omit<Props, "id" | "onClose"> & { id: string };

function Content({ eventId, id, ...narrowed }: ContentProps) {
  const totals = useTotals(eventId, id);
  return (
    <Asked query={totals}>
      {(message) => (
        <Stack>
          <Said message={message} />
          <Counted totals={message} />
          <Results eventId={eventId} message={message} {...narrowed} />
        </Stack>
      )}
    </Asked>
  );
}

function Said({ message }: { message: Totals }) {
  const admin = useMay("admin");
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Title order={2} size="h4">
          {message.title}
        </Title>
        {message.level !== "info" && <LevelBadge level={message.level} />}
      </Group>
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {message.body}
      </Text>
      <Text size="xs" c="dimmed">
        {kindInWords(message.kind)}, <When at={message.createdAt} />
        {message.closedReason !== null && `; closed: ${message.closedReason.replaceAll("_", " ")}`}
        {admin && message.factId !== null && (
          <>
            {". "}
            <Anchor component={Link} to={`/activity/${message.factId}`} size="xs" underline="always">
              Its trace
            </Anchor>
          </>
        )}
      </Text>
    </Stack>
  );
}

const TILES: readonly (readonly ["delivered" | "failed" | "pending" | "total", string, Meaning])[] = [
  ["delivered", "Delivered", "good"],
  ["failed", "Failed", "bad"],
  ["pending", "Under way", "busy"],
  ["total", "All", "waiting"],
];

/** By subscriber: who heard of it in one place has heard of it. */
function Counted({ totals }: { totals: Totals }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs" component="dl" m={0} aria-label="Totals">
      {TILES.map(([name, label, means]) => (
        <Paper key={name} withBorder p="xs" bg="var(--panel-background)">
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text
            component="dd"
            m={0}
            fw={640}
            size="lg"
            className="numbers"
            {...(name === "failed" && totals.failed > 0 ? { c: meaning[means] } : {})}
          >
            {totals[name].toLocaleString()}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Results({
  eventId,
  message,
  status,
  cursor,
  onNarrow,
}: Omit<ContentProps, "id"> & { message: Totals }) {
  const results = useResults({ eventId, noticeId: message.id, status, cursor }, isCounting(message));
  return (
    <Stack gap="xs">
      <Select
        label="What became of it"
        placeholder="All"
        clearable
        w={200}
        data={resultStatuses.map((value) => ({ value, label: resultWord(value) }))}
        value={status ?? null}
        onChange={(next) => onNarrow({ status: next ?? undefined, cursor: undefined })}
      />
      <Asked query={results}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty icon={IconUsers} title="Nobody here">
              {status === undefined ? "Nobody was to be told of this." : "For nobody it ended like this."}
            </Empty>
          ) : (
            <>
              <Rows label="What became of it, by subscriber" columns="minmax(0, 1fr) 110px minmax(0, 1fr)">
                {page.data.map((result) => (
                  <One key={result.subscriptionId} result={result} />
                ))}
              </Rows>
              <Pager
                page={page}
                cursor={cursor}
                onTurn={(next) => onNarrow({ status, cursor: next })}
                words={["First", "Next"]}
              />
            </>
          )
        }
      </Asked>
    </Stack>
  );
}

function One({ result }: { result: Result }) {
  const { person, status, integrationsTried, delivered, failed } = result;
  return (
    <Row>
      <Text size="sm" fw={600}>
        {person}
      </Text>
      <Group>
        <ResultBadge status={status} />
      </Group>
      <Text size="xs" c="dimmed">
        {status === "no_targets"
          ? "There was nowhere to tell them."
          : `${amountOf(integrationsTried, "place")} tried: ${delivered} sent, ${failed} failed`}
      </Text>
    </Row>
  );
}
