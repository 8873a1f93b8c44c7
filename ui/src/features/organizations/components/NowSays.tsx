import { Text } from "@mantine/core";
import type { Bootstrap } from "@/features/organizations/schemas";
import { clock } from "@/kit/time";
import { When } from "@/kit/When";
import { amountOf } from "@/kit/words";

/** What the step that it is at waits for, until when, and what it has tried. */
export function NowSays({ bootstrap: { live, mails } }: { bootstrap: Bootstrap }) {
  const { stage, waitsUntil, verificationTries, lastVerification } = live;
  const tried = stage === "verifyDns" && verificationTries !== null && verificationTries > 0;
  return (
    <Text size="sm" component="div">
      {tried && (
        <div>
          Looked {amountOf(verificationTries, "time")}
          {lastVerification !== null && `: ${lastVerification} resolvers know it`}.
        </div>
      )}
      {stage === "sendInvitations" && <div>Mails: {mailsInWords(mails)}.</div>}
      {waitsUntil !== null && (
        <div>
          {WAITS[stage ?? ""] ?? "It waits"} until {clock(waitsUntil)} (<When at={waitsUntil} />
          ).
        </div>
      )}
    </Text>
  );
}

const WAITS: Record<string, string> = {
  waitForPropagation: "It waits, and then looks,",
  verifyDns: "It waits, and looks again,",
  sendInvitations: "It waits for the mails",
};

/** "2 sent, 1 on their way". */
export function mailsInWords({ sent, failed, waiting }: Bootstrap["mails"]): string {
  const parts = [
    `${sent.toLocaleString()} sent`,
    ...(waiting > 0 ? [`${waiting.toLocaleString()} on their way`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString()} failed`] : []),
  ];
  return parts.join(", ");
}
