import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { NamePanel } from "@/features/templates/components/NamePanel";
import { NewTemplate, type Beginning } from "@/features/templates/components/NewTemplate";
import { catalogued } from "@/features/templates/logic/catalogue";
import { useTemplates } from "@/features/templates/operations/list-templates";
import { PageHead } from "@/kit/PageHead";
import { Asked } from "@/kit/states/Asked";
import { useMay } from "@/session/session";

/** What dresses the words: every template by name, channel and language, ours and yours. */
export function TemplatesPage() {
  const templates = useTemplates();
  const may = useMay("admin");
  const [from, setFrom] = useState<Beginning>();
  return (
    <>
      <PageHead
        title="Templates"
        about="They make a notice into what one person gets. Ours are used until you save your own."
      >
        {may && (
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => setFrom({ name: "notice", channel: "email" })}
          >
            New template
          </Button>
        )}
      </PageHead>
      <Asked query={templates}>
        {(found) => (
          <Stack>
            {catalogued(found).map((each) => (
              <NamePanel key={each.name} {...each} {...(may ? { onAdd: setFrom } : {})} />
            ))}
          </Stack>
        )}
      </Asked>
      <NewTemplate from={from} onClose={() => setFrom(undefined)} />
    </>
  );
}
