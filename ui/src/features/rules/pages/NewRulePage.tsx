import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { RuleEditor } from "@/features/rules/components/RuleEditor";
import { draftOf, emptyDraft, type Draft } from "@/features/rules/logic/draft";
import { useRule } from "@/features/rules/operations/get-rule";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/rules/new");

/** A new rule: from nothing, or from one that is there. */
export function NewRulePage() {
  const { from, factType } = route.useSearch();
  if (from !== undefined) return <FromAnother id={from} />;
  return <Editor initial={emptyDraft(factType)} />;
}

function FromAnother({ id }: { id: string }) {
  return (
    <Asked query={useRule(id)}>
      {(rule) => <Editor initial={{ ...draftOf(rule), name: `${rule.name}, another` }} />}
    </Asked>
  );
}

function Editor({ initial }: { initial: Draft }) {
  const navigate = useNavigate();
  const [before] = useState(initial);
  const [draft, setDraft] = useState(before);
  return (
    <RuleEditor
      title="New rule"
      base={{ is: "new" }}
      draft={draft}
      before={before}
      onDraft={setDraft}
      onSaved={(rule) => void navigate({ to: "/rules/$id", params: { id: rule.id }, ignoreBlocker: true })}
    />
  );
}
