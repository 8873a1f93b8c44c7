import { ActionIcon, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import classes from "@/features/rules/components/ConditionGroup.module.css";
import { TermRow } from "@/features/rules/components/TermRow";
import { newGroup, newTerm, type GroupDraft, type NodeDraft } from "@/features/rules/logic/condition-draft";
import { at, type Faults } from "@/features/rules/logic/faults";
import type { KnownPath } from "@/features/rules/logic/paths";

interface Props {
  group: GroupDraft;
  /** Where it stands in the rule, as the server names it. */
  path: string;
  faults: Faults;
  known: readonly KnownPath[];
  onChange: (group: GroupDraft) => void;
  onRemove?: () => void;
  depth?: number;
}

const DEEPEST = 3;

/** Conditions of which all, or any, must be met; with groups of the same kind in it. */
export function ConditionGroup({ group, path, faults, known, onChange, onRemove, depth = 0 }: Props) {
  const inner = `${path}.${group.match}`;
  const put = (of: NodeDraft[]) => onChange({ ...group, of });
  const replace = (node: NodeDraft) => put(group.of.map((each) => (each.id === node.id ? node : each)));
  const remove = (id: string) => put(group.of.filter((each) => each.id !== id));
  return (
    <Stack gap="xs" className={depth > 0 ? (classes.nested ?? "") : ""}>
      {(group.of.length > 1 || depth > 0) && (
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="How many must be met"
            value={group.match}
            onChange={(match) => onChange({ ...group, match })}
            data={[
              { value: "all", label: "All of these" },
              { value: "any", label: "Any of these" },
            ]}
          />
          {onRemove !== undefined && (
            <ActionIcon variant="subtle" color="gray" aria-label="Remove this group" onClick={onRemove}>
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      )}
      {group.of.map((node, n) =>
        node.kind === "term" ? (
          <TermRow
            key={node.id}
            term={node}
            path={`${inner}.${n}`}
            faults={faults}
            known={known}
            onChange={replace}
            onRemove={() => remove(node.id)}
          />
        ) : (
          <ConditionGroup
            key={node.id}
            group={node}
            path={`${inner}.${n}`}
            faults={faults}
            known={known}
            onChange={replace}
            onRemove={() => remove(node.id)}
            depth={depth + 1}
          />
        ),
      )}
      {at(faults, inner) !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {at(faults, inner)}
        </Text>
      )}
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => put([...group.of, newTerm()])}
        >
          Add a condition
        </Button>
        {group.of.length > 0 && depth < DEEPEST && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => put([...group.of, newGroup(group.match === "all" ? "any" : "all", [newTerm()])])}
          >
            Add a group
          </Button>
        )}
      </Group>
    </Stack>
  );
}
