import type { Provider } from "@/features/channels/schemas";
import { standingOf } from "@/kit/delivery/standing";
import { StatusBadge } from "@/kit/StatusBadge";

/** How a provider feels, in its own word. */
export function Standing({ provider: { enabled, circuit } }: { provider: Provider }) {
  const [status, means] = standingOf({ enabled, circuit: circuit.state });
  return <StatusBadge status={status} means={means} />;
}
