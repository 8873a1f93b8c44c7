import { Alert, Button, Grid, Group, Stack, Switch } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { DryRun } from "@/features/rules/components/DryRun";
import { Beside } from "@/kit/Beside";
import { RuleForm } from "@/features/rules/components/RuleForm";
import { Sentence } from "@/features/rules/components/Sentence";
import {
  bodyOf,
  isChanged,
  missingIn,
  partsOf,
  type Draft,
  type TrialBody,
} from "@/features/rules/logic/draft";
import { faultsIn, type Faults } from "@/features/rules/logic/faults";
import { pathsIn } from "@/features/rules/logic/paths";
import { useSaveRule, type Base } from "@/features/rules/operations/save-rule";
import { useTrial } from "@/features/rules/operations/try-rule";
import type { Rule } from "@/features/rules/schemas";
import { useRecentFacts } from "@/kit/choose/recent-facts";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { isStatus } from "@/kit/problem";

interface Props {
  title: string;
  base: Base;
  draft: Draft;
  before: Draft;
  onDraft: (draft: Draft) => void;
  /** What was written while it was being saved is not part of it. */
  onSaved: (rule: Rule, submitted: Draft) => void;
  /** Somebody else saved it meanwhile: theirs is taken. */
  onTakeTheirs?: () => void;
  /** Theirs stays a version, and this one comes over it. */
  onSaveOver?: () => void;
  children?: ReactNode;
}

const PAUSE = 500;

/** The form, the rule in words above it, and beside it what it would have told. */
export function RuleEditor({ title, base, draft, before, onDraft, onSaved, children, ...meanwhile }: Props) {
  const save = useSaveRule();
  const [amount, setAmount] = useState(20);
  const parts = partsOf(draft);
  const missing = missingIn(draft);
  const trial = useTrial(useSettled(draft, amount), missing.length === 0);
  const facts = useRecentFacts(parts.factType === "" ? undefined : parts.factType, 20);
  const known = parts.factType === "" ? [] : pathsIn((facts.data ?? []).map((fact) => fact.data));
  const faults = {
    ...(missing.length === 0 ? faultsIn(trial.error) : {}),
    ...stillIn(faultsIn(save.error), save.variables?.draft, draft),
  };
  const unsaved = isChanged(before, draft);
  const submit = () => save.mutate({ base, draft }, { onSuccess: (rule) => onSaved(rule, draft) });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PageHead title={title}>
        <Switch
          label="On"
          checked={draft.enabled}
          onChange={(event) => onDraft({ ...draft, enabled: event.currentTarget.checked })}
          mr="xs"
        />
        {children}
        <Button type="submit" loading={save.isPending} disabled={base.is === "saved" && !unsaved}>
          {base.is === "new" ? "Make the rule" : "Save"}
        </Button>
      </PageHead>
      <LeaveGuard unsaved={unsaved && !save.isPending} />
      <Stack>
        <Sentence rule={parts} />
        {isStatus(save.error, 412) && save.variables?.base === base && <Meanwhile {...meanwhile} />}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <RuleForm
              draft={draft}
              faults={faults}
              known={known}
              onChange={(part) => onDraft({ ...draft, ...part })}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Beside>
              <DryRun rule={parts} trial={trial} missing={missing} amount={amount} onAmount={setAmount} />
            </Beside>
          </Grid.Col>
        </Grid>
      </Stack>
    </form>
  );
}

/** What is tried: the draft after a pause, since somebody is writing. */
function useSettled(draft: Draft, limit: number): TrialBody {
  const [settled] = useDebouncedValue(draft, PAUSE);
  const { name, ...rule } = bodyOf(settled);
  return { rule: { ...rule, name: name === "" ? "unsaved" : name }, limit, people: 10 };
}

/** Faults of what has not been changed since they were found. */
function stillIn(faults: Faults, then: Draft | undefined, now: Draft): Faults {
  if (then === undefined) return {};
  const [was, is] = [partsOf(then), partsOf(now)] as Record<string, unknown>[];
  const same = (path: string) => {
    const name = path.split(".")[0] ?? path;
    return JSON.stringify(was?.[name]) === JSON.stringify(is?.[name]);
  };
  return Object.fromEntries(Object.entries(faults).filter(([path]) => same(path)));
}

function Meanwhile({ onTakeTheirs, onSaveOver }: Pick<Props, "onTakeTheirs" | "onSaveOver">) {
  return (
    <Alert color="orange" title="Somebody changed this rule meanwhile">
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button size="xs" variant="default" onClick={onSaveOver}>
          Keep mine, to save it over theirs
        </Button>
      </Group>
    </Alert>
  );
}
