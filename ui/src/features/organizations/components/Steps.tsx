import { Group, Loader, Text, ThemeIcon } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCheck,
  IconCircle,
  IconClockExclamation,
  IconHandStop,
  IconX,
  type Icon,
} from "@tabler/icons-react";
import classes from "@/features/organizations/components/Steps.module.css";
import type { Standing, StepShown } from "@/features/organizations/logic/steps";
import { stepWords } from "@/features/organizations/logic/words";
import { StatusBadge } from "@/kit/StatusBadge";
import { meaning, type Meaning } from "@/kit/theme";

interface Props {
  shown: readonly StepShown[];
  /** What the step that it is at says of itself. */
  now: React.ReactNode;
}

/** All eight, one below the other, and how each stands. */
export function Steps({ shown, now }: Props) {
  return (
    <ol className={classes.steps} aria-label="Steps">
      {shown.map((step) => (
        <One key={step.step} shown={step}>
          {step.standing === "now" && now}
        </One>
      ))}
    </ol>
  );
}

const SHOWN: Record<Standing, { word: string; means: Meaning; sign: Icon }> = {
  done: { word: "done", means: "good", sign: IconCheck },
  now: { word: "at work", means: "busy", sign: IconCircle },
  ahead: { word: "to come", means: "waiting", sign: IconCircle },
  undoing: { word: "being taken back", means: "warning", sign: IconArrowBackUp },
  undone: { word: "taken back", means: "warning", sign: IconArrowBackUp },
  left: { word: "left over", means: "bad", sign: IconClockExclamation },
  failed: { word: "failed", means: "bad", sign: IconX },
  stopped: { word: "stopped here", means: "warning", sign: IconHandStop },
  never: { word: "not begun", means: "waiting", sign: IconCircle },
};

function One({
  shown: { step, standing, error },
  children,
}: {
  shown: StepShown;
  children: React.ReactNode;
}) {
  const { word, means, sign: Sign } = SHOWN[standing];
  const [title, about] = stepWords[step];
  const faint = standing === "ahead" || standing === "never";
  return (
    <li
      className={classes.step}
      data-standing={standing}
      aria-current={standing === "now" ? "step" : undefined}
    >
      {standing === "now" ? (
        <Loader size={24} m={2} aria-hidden />
      ) : (
        <ThemeIcon
          variant={faint ? "transparent" : "light"}
          color={meaning[means]}
          radius="xl"
          size={28}
          aria-hidden
        >
          <Sign size={16} stroke={1.8} />
        </ThemeIcon>
      )}
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600} className={classes.title ?? ""} data-faint={faint || undefined}>
            {title}
          </Text>
          <StatusBadge status={word} means={means} />
        </Group>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
        {children}
        {error !== null && (
          <Text
            size="sm"
            className={classes.error ?? ""}
            c={standing === "failed" || standing === "left" ? "var(--mantine-color-error)" : "dimmed"}
          >
            {error}
          </Text>
        )}
      </div>
    </li>
  );
}
