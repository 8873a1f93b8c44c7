import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { DropArea } from "@/features/people/components/DropArea";
import { importInWords, isRunning, progressOf } from "@/features/people/logic/import-words";
import { rowsIn, sizeInWords } from "@/features/people/logic/lines";
import { useImportPeople } from "@/features/people/operations/import-people";
import { useImports } from "@/features/people/operations/list-imports";
import type { Import } from "@/features/people/schemas";
import { tellFailed } from "@/kit/tell";

interface Chosen {
  file: File;
  rows: number;
}

/** A file is chosen, checked if one likes, and imported; meanwhile one sees how far it is. */
export function Upload({ onEnded }: { onEnded: (id: string) => void }) {
  const [chosen, setChosen] = useState<Chosen>();
  const upload = useImportPeople();
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: upload.isPending });
  const send = (dryRun: boolean) => {
    if (chosen === undefined) return;
    const ended = (id: string) => {
      if (!dryRun) setChosen(undefined); // a second press would import it again
      onEnded(id);
    };
    upload.mutate({ file: chosen.file, dryRun }, { onSuccess: ended, onError: tellFailed });
  };
  return (
    <Stack gap="sm">
      <DropArea
        disabled={upload.isPending}
        onFile={(file) => void rowsIn(file).then((rows) => setChosen({ file, rows }))}
      />
      {chosen !== undefined && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            <b>{chosen.file.name}</b>, {sizeInWords(chosen.file.size)}, about {chosen.rows.toLocaleString()}{" "}
            {chosen.rows === 1 ? "row" : "rows"}
          </Text>
          {!upload.isPending && (
            <Group gap="xs">
              <Button variant="default" onClick={() => send(true)}>
                Check only
              </Button>
              <Button onClick={() => send(false)}>Import</Button>
            </Group>
          )}
        </Group>
      )}
      {upload.isPending && <Under total={chosen?.rows ?? 0} dryRun={upload.variables.dryRun} />}
    </Stack>
  );
}

/** How far it is: by the rows that the server says it has read. */
function Under({ total, dryRun }: { total: number; dryRun: boolean }) {
  const running = useImports(undefined).data?.data.find((one) => isRunning(one) && one.dryRun === dryRun);
  const done = progressOf(running, total);
  return (
    <Stack gap={4} role="status">
      <Progress value={done === 0 ? 2 : done} animated aria-label="Import" />
      <Text size="sm">{told(running)}</Text>
      <Text size="xs" c="dimmed">
        Keep this window open until it is over: a file that breaks off changes nobody.
      </Text>
    </Stack>
  );
}

function told(running: Import | undefined): string {
  return running === undefined ? "Sending the file" : importInWords(running);
}
