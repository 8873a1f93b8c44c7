import { ActionIcon, Text, Tooltip, UnstyledButton, useMantineTheme, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { makeScale, offset, type Pause, type Scale } from "@/features/activity/trace/scale";
import { KINDS, StepSign } from "@/features/activity/trace/StepSign";
import {
  foldedAtFirst,
  lanes,
  moments,
  type Lane,
  type Mark,
  type Step,
} from "@/features/activity/trace/steps";
import classes from "@/features/activity/trace/Trace.module.css";

interface Props {
  root: Step;
  onOpen: (step: string) => void;
}

const INDENT = 18;
/** How much of the width a tick needs. */
const [WIDE, NARROW] = [0.12, 0.24];

/** Every step in its lane, over the time since the fact. A list to whoever reads it out. */
export function TraceTimeline({ root, onOpen }: Props) {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const narrow = useMediaQuery(`(max-width: ${useMantineTheme().breakpoints.sm})`, false);
  const scale = useMemo(() => makeScale(moments(root), narrow ? NARROW : WIDE), [root, narrow]);
  const folded = useMemo(() => turned(new Set(foldedAtFirst(root)), changed), [root, changed]);
  const fold = (id: string) => setChanged((now) => turned(now, new Set([id])));
  return (
    <>
      <Axis scale={scale} />
      <ul className={classes.timeline} aria-label="What came of the fact, step by step">
        {lanes(root, folded).map((lane) => (
          <Row
            key={lane.step.id}
            lane={lane}
            scale={scale}
            folded={folded.has(lane.step.id)}
            onFold={() => fold(lane.step.id)}
            onOpen={() => onOpen(lane.step.id)}
          />
        ))}
      </ul>
    </>
  );
}

/** What is in one of the two and not in both. */
function turned(some: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...some, ...other].filter((id) => some.has(id) !== other.has(id)));
}

function Axis({ scale }: { scale: Scale }) {
  return (
    <div className={`${classes.timeline} ${classes.axis}`} aria-hidden>
      <span />
      <div className={classes.track}>
        <div>
          {scale.pauses.filter(roomy).map(({ from, to, says }) => (
            <span key={from} className={classes.pause} style={{ left: percent((from + to) / 2) }}>
              ⋯ {says} ⋯
            </span>
          ))}
        </div>
        <div>
          {scale.ticks.map(({ x, says }) => (
            <span key={x} className={`${classes.tick} numbers`} style={{ left: percent(x) }}>
              {says}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Wide enough to be named. */
function roomy({ from, to }: Pause): boolean {
  return to - from > 0.15;
}

interface RowProps {
  lane: Lane;
  scale: Scale;
  folded: boolean;
  onFold: () => void;
  onOpen: () => void;
}

function Row({ lane: { step, depth }, scale, folded, onFold, onOpen }: RowProps) {
  return (
    <li className={`${classes.lane} ${classes[step.means]}`}>
      <div className={classes.label} style={{ paddingLeft: 12 + depth * INDENT }}>
        {step.kind === "channel" ? (
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            mt={2}
            aria-expanded={!folded}
            aria-label={`${step.title}: ${folded ? "show" : "hide"} each delivery`}
            onClick={onFold}
          >
            {folded ? <IconChevronRight size={15} /> : <IconChevronDown size={15} />}
          </ActionIcon>
        ) : (
          <StepSign kind={step.kind} />
        )}
        <Words step={step} onOpen={step.kind === "channel" ? onFold : onOpen} />
      </div>
      <div className={classes.track} aria-hidden>
        <Ground scale={scale} />
        {step.marks.map((mark, n) => (
          <Drawn key={n} mark={mark} scale={scale} />
        ))}
      </div>
    </li>
  );
}

function Words({ step, onOpen }: { step: Step; onOpen: () => void }) {
  return (
    <UnstyledButton className={classes.open} onClick={onOpen}>
      <Text size="sm" fw={560} truncate>
        <VisuallyHidden>{KINDS[step.kind]} </VisuallyHidden>
        {step.title}
        {step.at > 0 && (
          <Text span size="xs" c="dimmed" ml={6} fw={400} className="numbers">
            {offset(step.at)}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {step.words}
      </Text>
    </UnstyledButton>
  );
}

function Ground({ scale }: { scale: Scale }) {
  return (
    <>
      {scale.ticks.map(({ x }) => (
        <span key={x} className={classes.line} style={{ left: percent(x) }} />
      ))}
    </>
  );
}

function Drawn({ mark, scale }: { mark: Mark; scale: Scale }) {
  const left = scale.at(mark.from);
  const moment = mark.look === "point" || mark.look === "receipt";
  const look = mark.look === "work" ? "" : classes[mark.look];
  const width = moment ? undefined : percent(scale.at(mark.to) - left);
  return (
    <Tooltip label={mark.says} withArrow multiline maw={320}>
      <span
        className={`${classes.mark} ${look ?? ""} ${classes[mark.means]}`}
        style={{ left: percent(left), width }}
      />
    </Tooltip>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
