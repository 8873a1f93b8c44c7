import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { refusalWords, way, type Refusal } from "@/features/organizations/logic/refusals";
import { Door } from "@/kit/Door";

interface Props {
  refusal: Refusal;
  busy?: boolean;
  onAgain: () => void;
}

/** Why this link leads no further, and what one can do. */
export function Refused({ refusal, busy = false, onAgain }: Props) {
  const [title, next] = refusalWords[refusal];
  return (
    <Door title={title}>
      <Text role="status">{next}</Text>
      {way[refusal] === "sign-in" && (
        <Button component={Link} to="/sign-in">
          Sign in
        </Button>
      )}
      {way[refusal] === "again" && (
        <Button loading={busy} onClick={onAgain}>
          Try again
        </Button>
      )}
    </Door>
  );
}
