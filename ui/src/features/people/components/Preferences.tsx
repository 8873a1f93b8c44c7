import { usePreferences } from "@/features/people/operations/get-preferences";
import { useSetPreferences } from "@/features/people/operations/set-preferences";
import type { Person } from "@/features/people/schemas";
import { useCategories } from "@/kit/preferences/list-categories";
import { PreferencesForm } from "@/kit/preferences/PreferencesForm";
import { reachedBy } from "@/kit/preferences/reached";
import { Asked } from "@/kit/states/Asked";

export function Preferences({ person }: { person: Person }) {
  const preferences = usePreferences(person.id);
  const categories = useCategories();
  const set = useSetPreferences(person.id);
  return (
    <Asked query={categories}>
      {(known) => (
        <Asked query={preferences}>
          {(kept) => (
            <PreferencesForm
              value={kept}
              categories={known}
              reached={reachedBy(person.addresses)}
              onSave={(wanted) => set.mutateAsync(wanted)}
              saving={set.isPending}
            />
          )}
        </Asked>
      )}
    </Asked>
  );
}
