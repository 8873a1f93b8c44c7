import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconDots, IconHistory, IconSend } from "@tabler/icons-react";
import type { Sample } from "@/features/templates/components/Preview";
import { TestSend } from "@/features/templates/components/TestSend";
import { localeInWords } from "@/kit/locales";
import { useRetireTemplate } from "@/features/templates/operations/retire-template";
import type { TemplateKey } from "@/features/templates/schemas";
import { channelWords } from "@/kit/channels";
import { Confirm } from "@/kit/Confirm";

interface Props {
  id: TemplateKey;
  retirable: boolean;
  sample: Sample;
  unsaved: boolean;
  onVersions: () => void;
}

/** What can be done with a template besides writing it. */
export function Deeds({ id, retirable, sample, unsaved, onVersions }: Props) {
  const retire = useRetireTemplate();
  const [asking, ask] = useDisclosure();
  const [testing, test] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={test.open}>
        Test…
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label="More">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory size={16} />} onClick={onVersions}>
            Versions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArchive size={16} />}
            color="red"
            disabled={!retirable}
            onClick={ask.open}
          >
            Retire…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TestSend opened={testing} onClose={test.close} id={id} data={sample.data} unsaved={unsaved} />
      <Confirm
        opened={asking}
        title="Retire your template?"
        deed="Retire it"
        busy={retire.isPending}
        onClose={ask.close}
        onConfirm={() => retire.mutate(id, { onSettled: ask.close })}
      >
        {id.name} for {channelWords[id.channel]} and {localeInWords(id.locale)} is not used from now on: the
        next nearest is, at last ours. Notices that were made before are told in it still. Its versions stay,
        and you can go back to one.
      </Confirm>
    </>
  );
}
