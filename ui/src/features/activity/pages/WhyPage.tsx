import { Stack } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ActivityHead } from "@/features/activity/components/ActivityHead";
import { useWhy } from "@/features/activity/operations/ask-why";
import { Explained } from "@/features/activity/why/Explained";
import { WhyForm } from "@/features/activity/why/WhyForm";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/activity/why");

/** Why somebody did or did not get something, in words. */
export function WhyPage() {
  const question = route.useSearch();
  const navigate = useNavigate({ from: "/activity/why" });
  const why = useWhy(question);
  return (
    <>
      <ActivityHead tab="/activity/why" />
      <Stack>
        <WhyForm
          key={JSON.stringify(question)}
          asked={question}
          onAsk={(asked) => void navigate({ search: asked })}
        />
        {question.person === undefined ? (
          <Panel>
            <Empty icon={IconZoomQuestion} title="Why did they (not) get it?">
              Choose somebody. You are told what happened to what concerned them, rule by rule and address by
              address, and what decided.
            </Empty>
          </Panel>
        ) : (
          <Asked query={why}>{(explanation) => <Explained explanation={explanation} />}</Asked>
        )}
      </Stack>
    </>
  );
}
