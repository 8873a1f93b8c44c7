import {
  IconBolt,
  IconBroadcast,
  IconChecklist,
  IconFilter,
  IconMessage,
  IconMoodSilence,
  IconSend,
  IconSparkles,
  type Icon,
} from "@tabler/icons-react";
import type { StepKind } from "@/features/activity/trace/steps";
import classes from "@/features/activity/trace/Trace.module.css";

const SIGNS: Record<StepKind, Icon> = {
  fact: IconBolt,
  intent: IconChecklist,
  listener: IconFilter,
  notice: IconMessage,
  channel: IconBroadcast,
  delivery: IconSend,
  silence: IconMoodSilence,
  caused: IconSparkles,
};

export const KINDS: Record<StepKind, string> = {
  fact: "Fact",
  intent: "Intent",
  listener: "Rule",
  notice: "Notice",
  channel: "Channel",
  delivery: "Delivery",
  silence: "Nobody",
  caused: "Fact",
};

export function StepSign({ kind }: { kind: StepKind }) {
  const Sign = SIGNS[kind];
  return <Sign size={17} stroke={1.7} className={classes.sign} aria-hidden />;
}
