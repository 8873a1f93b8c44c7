import { Loader, Center } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Accepting } from "@/features/organizations/components/Accepting";
import { Refused } from "@/features/organizations/components/Refused";
import { refusalIn } from "@/features/organizations/logic/refusals";
import { useOpened } from "@/features/organizations/operations/look-at-invitation";
import { Door } from "@/kit/Door";
import { Failed } from "@/kit/states/Failed";

const route = getRouteApi("/auth/accept-invitation");

/** The link of an invitation's mail. Opening it changes nothing: programs that read mail open links, too. */
export function AcceptInvitationPage() {
  const { token: given } = route.useSearch();
  const navigate = useNavigate();
  const [token] = useState(given); // a secret has no place in an address that is kept in the history
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (location.search !== "") void navigate({ to: "/auth/accept-invitation", search: {}, replace: true });
  }, [navigate]);
  if (token === undefined) return <Refused refusal="unknown" onAgain={() => undefined} />;
  return <Opened key={round} token={token} onSomebodyElse={() => setRound(round + 1)} />;
}

function Opened({ token, onSomebodyElse }: { token: string; onSomebodyElse: () => void }) {
  const opened = useOpened(token);
  const again = () => void opened.refetch();
  const refusal = refusalIn(opened.error);
  if (refusal !== null) return <Refused refusal={refusal} busy={opened.isFetching} onAgain={again} />;
  if (opened.data !== undefined)
    return <Accepting opened={opened.data} token={token} onSomebodyElse={onSomebodyElse} />;
  return (
    <Door title="Invitation">
      {opened.error === null ? (
        <Center py="lg" aria-busy>
          <Loader />
        </Center>
      ) : (
        <Failed error={opened.error} onRetry={again} />
      )}
    </Door>
  );
}
