import { Autocomplete, Group, Stack } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSpeakerphone } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { NoticesFilter } from "@/features/activity/addresses";
import { ActivityHead } from "@/features/activity/components/ActivityHead";
import { NoticeDrawer } from "@/features/activity/components/NoticeDrawer";
import { NoticeTable } from "@/features/activity/components/NoticeTable";
import { useCategories } from "@/features/activity/operations/list-names";
import { useNotices } from "@/features/activity/operations/list-notices";
import { MomentInput } from "@/kit/MomentInput";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/activity/notices");

/** What was said, once each, whoever heard it. */
export function NoticesPage() {
  const { notice, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/activity/notices" });
  const notices = useNotices(filter);
  const narrow = (change: Partial<NoticesFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const open = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, notice: id }) });
  return (
    <>
      <ActivityHead tab="/activity/notices" />
      <Stack>
        <Filters filter={filter} onChange={narrow} />
        <Panel>
          <Asked query={notices}>
            {(page) =>
              page.data.length === 0 ? (
                <Empty icon={IconSpeakerphone} title="Nothing was said">
                  No notice matches. A rule makes one when a fact meets it.
                </Empty>
              ) : (
                <>
                  <NoticeTable notices={page.data} onOpen={open} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
      <NoticeDrawer id={notice} onClose={() => open(undefined)} />
    </>
  );
}

interface FiltersProps {
  filter: NoticesFilter;
  onChange: (change: Partial<NoticesFilter>) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const categories = useCategories();
  const later = useDebouncedCallback(onChange, 300);
  return (
    <Group gap="sm" align="flex-end">
      <Autocomplete
        label="Category"
        placeholder="All"
        data={categories.data ?? []}
        defaultValue={filter.category ?? ""}
        onChange={(text) => later({ category: text.trim() || undefined })}
        w={200}
      />
      <MomentInput label="From" value={filter.since} onChange={(since) => onChange({ since })} />
      <MomentInput label="Until" value={filter.until} onChange={(until) => onChange({ until })} />
    </Group>
  );
}
