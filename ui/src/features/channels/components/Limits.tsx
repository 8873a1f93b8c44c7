import { Autocomplete, NumberInput, Select, SimpleGrid } from "@mantine/core";
import { inputWrapperOrder } from "@/features/channels/components/described";
import type { Draft } from "@/features/channels/logic/draft";
import type { Faults } from "@/features/channels/logic/faults";

interface Props {
  draft: Draft;
  faults: Faults;
  /** What this type does of itself with what may have been sent. */
  onUnknown: "resend" | "hold";
  onChange: (part: Partial<Draft>) => void;
}

const UNKNOWN = { resend: "send it again", hold: "hold it for a person" };
const whole = { inputWrapperOrder, allowDecimal: false, allowNegative: false, min: 1 } as const;
const written = (value: number | string): number | "" => (typeof value === "number" ? value : "");

/** How much at a time, in which order, and for how long. */
export function Limits({ draft, faults, onUnknown, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <NumberInput
        {...whole}
        label="Most sends in a time"
        description="By all workers together"
        placeholder="no limit"
        value={draft.rateCount}
        error={faults.rate ?? faults["rate.count"]}
        onChange={(value) => onChange({ rateCount: written(value) })}
      />
      <Autocomplete
        inputWrapperOrder={inputWrapperOrder}
        label="The time"
        description="Such as 1s, 1m or 1h"
        data={["1s", "10s", "1m", "1h", "1d"]}
        filter={({ options }) => options}
        disabled={draft.rateCount === ""}
        value={draft.ratePeriod}
        error={faults["rate.period"]}
        onChange={(ratePeriod) => onChange({ ratePeriod })}
      />
      <NumberInput
        {...whole}
        label="Most sends at a time"
        description="By all workers together"
        placeholder="no limit"
        value={draft.concurrency}
        error={faults.concurrency}
        onChange={(value) => onChange({ concurrency: written(value) })}
      />
      <NumberInput
        {...whole}
        min={0}
        label="Priority"
        description="The lowest of the channel is used first"
        value={draft.priority}
        error={faults.priority}
        onChange={(value) => onChange({ priority: written(value) })}
      />
      <NumberInput
        {...whole}
        label="Most attempts"
        description="Then it has failed"
        placeholder="until its time is over"
        value={draft.maxAttempts}
        error={faults.maxAttempts}
        onChange={(value) => onChange({ maxAttempts: written(value) })}
      />
      <Autocomplete
        inputWrapperOrder={inputWrapperOrder}
        label="Expires after"
        description="What was not sent by then has failed"
        placeholder="24h"
        data={["15m", "1h", "6h", "24h", "3d"]}
        filter={({ options }) => options}
        value={draft.expiresAfter}
        error={faults.expiresAfter}
        onChange={(expiresAfter) => onChange({ expiresAfter })}
      />
      <Select
        inputWrapperOrder={inputWrapperOrder}
        label="What may have been sent"
        description="Where the connection broke before the answer came"
        placeholder={`As its type does: ${UNKNOWN[onUnknown]}`}
        clearable
        data={Object.entries(UNKNOWN).map(([value, label]) => ({ value, label }))}
        value={draft.onUnknown}
        error={faults.onUnknown}
        onChange={(value) => onChange({ onUnknown: value as Draft["onUnknown"] })}
      />
    </SimpleGrid>
  );
}
