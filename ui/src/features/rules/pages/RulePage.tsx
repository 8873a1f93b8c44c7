import { ActionIcon, Menu } from "@mantine/core";
import { IconCopy, IconDots, IconHistory, IconTrash } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { RuleEditor } from "@/features/rules/components/RuleEditor";
import { RuleVersions } from "@/features/rules/components/RuleVersions";
import { draftOf, isChanged } from "@/features/rules/logic/draft";
import { useDeleteRule } from "@/features/rules/operations/delete-rule";
import { useRule } from "@/features/rules/operations/get-rule";
import type { Rule } from "@/features/rules/schemas";
import { Confirm } from "@/kit/Confirm";
import { Asked } from "@/kit/states/Asked";
import { tellDone } from "@/kit/tell";

const route = getRouteApi("/shell/rules/$id");

/** One rule: edit it, try it, go back to what it was. */
export function RulePage() {
  const { id } = route.useParams();
  const rule = useRule(id);
  return (
    <Asked query={rule}>
      {(found) => (
        <Editor key={id} rule={found} onRefetch={async () => (await rule.refetch()).data ?? found} />
      )}
    </Asked>
  );
}

/** Another's change is taken over at once where nothing was written here, and never over what was. */
function Editor({ rule, onRefetch }: { rule: Rule; onRefetch: () => Promise<Rule> }) {
  const { versions } = route.useSearch();
  const navigate = useNavigate({ from: "/rules/$id" });
  const [base, setBase] = useState(() => ({ is: "saved" as const, rule, before: draftOf(rule) }));
  const [draft, setDraft] = useState(base.before);
  const adopt = (newest: Rule) => {
    const before = draftOf(newest);
    setBase({ is: "saved", rule: newest, before });
    setDraft(before);
  };
  if (rule.version > base.rule.version && !isChanged(base.before, draft)) adopt(rule);
  const show = (opened: boolean) =>
    void navigate({ search: () => (opened ? { versions: true } : {}), ignoreBlocker: true });
  return (
    <>
      <RuleEditor
        title={base.rule.name}
        base={base}
        draft={draft}
        before={base.before}
        onDraft={setDraft}
        onSaved={(saved, submitted) => {
          const before = draftOf(saved);
          setBase({ is: "saved", rule: saved, before });
          setDraft((now) => (now === submitted ? before : now));
        }}
        onTakeTheirs={() => void onRefetch().then(adopt)}
        onSaveOver={() =>
          void onRefetch().then((newest) => setBase({ is: "saved", rule: newest, before: draftOf(newest) }))
        }
      >
        <Deeds rule={base.rule} onVersions={() => show(true)} />
      </RuleEditor>
      <RuleVersions
        id={rule.id}
        opened={versions === true}
        onClose={() => show(false)}
        onBringBack={(version) => {
          setDraft(draftOf(version));
          show(false);
          tellDone(`Version ${version.version} is in the form. Look it over, and save it.`);
        }}
      />
    </>
  );
}

function Deeds({ rule, onVersions }: { rule: Rule; onVersions: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteRule();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label="More">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory size={16} />} onClick={onVersions}>
            Versions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => void navigate({ to: "/rules/new", search: { from: rule.id } })}
          >
            Make another like it
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => setAsking(true)}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking}
        title={`Delete ${rule.name}?`}
        deed="Delete the rule"
        busy={remove.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(rule.id, {
            onSuccess: () => void navigate({ to: "/rules", search: {}, ignoreBlocker: true }),
            onSettled: () => setAsking(false),
          })
        }
      >
        From now on nobody is told by it. What it has told stays told, and its versions stay on record. Turn
        it off instead if you may want it back.
      </Confirm>
    </>
  );
}
