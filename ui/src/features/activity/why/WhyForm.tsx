import { Autocomplete, Button, Group, Paper, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { WhyQuestion } from "@/features/activity/addresses";
import { PersonSelect } from "@/features/activity/components/PersonSelect";
import { useCategories } from "@/features/activity/operations/list-names";
import { MomentInput } from "@/kit/MomentInput";

interface Props {
  asked: WhyQuestion;
  onAsk: (question: WhyQuestion) => void;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Who, and about what: one fact, or a category over a time. */
export function WhyForm({ asked, onAsk }: Props) {
  const [question, setQuestion] = useState(asked);
  const [by, setBy] = useState(asked.fact === undefined ? "time" : "fact");
  const change = (part: Partial<WhyQuestion>) => setQuestion((now) => ({ ...now, ...part }));
  const factWrong = by === "fact" && !ID.test(question.fact ?? "");
  return (
    <Paper
      withBorder
      p="md"
      bg="var(--panel-background)"
      component="form"
      aria-label="Why did they (not) get it?"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(trimmed(question, by));
      }}
    >
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <PersonSelect required value={question.person} onChange={(person) => change({ person })} w={280} />
          <SegmentedControl
            aria-label="About what"
            value={by}
            onChange={setBy}
            data={[
              { value: "time", label: "Over a time" },
              { value: "fact", label: "About one fact" },
            ]}
          />
        </Group>
        <Group gap="sm" align="flex-end">
          {by === "fact" ? (
            <TextInput
              label="Fact"
              placeholder="Its id"
              required
              w={340}
              value={question.fact ?? ""}
              onChange={(event) => change({ fact: event.currentTarget.value.trim() || undefined })}
            />
          ) : (
            <Span question={question} onChange={change} />
          )}
          <Button type="submit" disabled={question.person === undefined || factWrong}>
            Ask
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function trimmed(question: WhyQuestion, by: string): WhyQuestion {
  const { person, fact, category, since, until } = question;
  return by === "fact" ? { person, fact } : { person, category, since, until };
}

function Span({
  question,
  onChange,
}: {
  question: WhyQuestion;
  onChange: (part: Partial<WhyQuestion>) => void;
}) {
  const categories = useCategories();
  return (
    <>
      <Autocomplete
        label="Category"
        placeholder="All"
        data={categories.data ?? []}
        value={question.category ?? ""}
        onChange={(text) => onChange({ category: text.trim() || undefined })}
        w={160}
      />
      <MomentInput
        label="From"
        placeholder="A week ago"
        value={question.since}
        onChange={(since) => onChange({ since })}
      />
      <MomentInput
        label="Until"
        placeholder="Now"
        value={question.until}
        onChange={(until) => onChange({ until })}
      />
    </>
  );
}
