import { Modal, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ReservationsHead } from "@/features/reservations/components/ReservationsHead";
import { UsualChannelsForm } from "@/features/reservations/components/UsualChannelsForm";
import { UsualChannelsList } from "@/features/reservations/components/UsualChannelsList";
import { userTypeInWords } from "@/features/reservations/logic/words";
import { useUsualChannels } from "@/features/reservations/operations/list-usual-channels";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/reservations/channels");

/** By which channels each kind of people is told. */
export function UsualChannelsPage() {
  const { open } = route.useSearch();
  const navigate = useNavigate({ from: "/reservations/channels" });
  const usual = useUsualChannels();
  const opened = usual.data?.find(({ userType }) => userType === open);
  const close = () => void navigate({ search: {}, resetScroll: false });
  return (
    <>
      <ReservationsHead tab="/reservations/channels" />
      <Stack>
        <Text size="sm" c="dimmed">
          How people hear of reservations, by their type. What you change counts from now on; a person’s own
          preferences narrow it.
        </Text>
        <Panel>
          <Asked query={usual}>
            {(all) => (
              <UsualChannelsList
                all={all}
                onOpen={(userType) => void navigate({ search: { open: userType } })}
              />
            )}
          </Asked>
        </Panel>
      </Stack>
      <Modal
        opened={opened !== undefined}
        onClose={close}
        title={opened === undefined ? "Channels" : userTypeInWords(opened.userType)}
      >
        {opened !== undefined && <UsualChannelsForm key={opened.userType} usual={opened} onDone={close} />}
      </Modal>
    </>
  );
}
