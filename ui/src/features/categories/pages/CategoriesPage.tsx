import { Button, Modal } from "@mantine/core";
import { IconPlus, IconTags } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CategoryForm } from "@/features/categories/components/CategoryForm";
import { CategoryList } from "@/features/categories/components/CategoryList";
import { PageHead } from "@/kit/PageHead";
import { Panel } from "@/kit/Panel";
import { useCategories } from "@/kit/preferences/list-categories";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/settings/categories");

/** What is said is of a category: people choose by it what they hear, except of what is required. */
export function CategoriesPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/settings/categories" });
  const may = useMay("admin");
  const categories = useCategories();
  const all = categories.data ?? [];
  const opened = may ? all.find(({ id }) => id === search.open) : undefined;
  const close = () => void navigate({ search: {} });
  const button = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ search: { new: true } })}>
      New category
    </Button>
  );
  return (
    <>
      <PageHead title="Categories" about="What people choose by, what they hear. Rules name them.">
        {button}
      </PageHead>
      <Panel>
        <Asked query={categories}>
          {(found) =>
            found.length === 0 ? (
              <Empty icon={IconTags} title="No categories yet" action={button}>
                With categories people can turn off the news and still hear of their orders. Name them in your
                rules; make one required where everybody must hear.
              </Empty>
            ) : (
              <CategoryList categories={found} onOpen={(open) => void navigate({ search: { open } })} />
            )
          }
        </Asked>
      </Panel>
      <Modal opened={may && search.new === true} onClose={close} title="New category">
        <CategoryForm taken={all.map(({ id }) => id)} onDone={close} />
      </Modal>
      <Modal opened={opened !== undefined} onClose={close} title={opened?.name ?? "Category"}>
        {opened !== undefined && <CategoryForm key={opened.id} category={opened} taken={[]} onDone={close} />}
      </Modal>
    </>
  );
}
