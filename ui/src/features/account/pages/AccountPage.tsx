import { Stack } from "@mantine/core";
import { Nobody } from "@/features/account/components/Nobody";
import { PasswordForm } from "@/features/account/components/PasswordForm";
import { Yourself } from "@/features/account/components/Yourself";
import { useChangeMe } from "@/features/account/operations/change-me";
import { useMe } from "@/features/account/operations/get-me";
import { useMyPreferences } from "@/features/account/operations/get-my-preferences";
import { usePasswordStanding } from "@/features/account/operations/get-password-standing";
import { useSetMyPreferences } from "@/features/account/operations/set-my-preferences";
import type { Me } from "@/features/account/schemas";
import { PageHead } from "@/kit/PageHead";
import { useCategories } from "@/kit/preferences/list-categories";
import { PersonalForm } from "@/kit/preferences/PersonalForm";
import { PreferencesForm } from "@/kit/preferences/PreferencesForm";
import { reachedBy } from "@/kit/preferences/reached";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { useSession } from "@/session/session";

/** What one hears, where and when; one's language, clock and password. */
export function AccountPage() {
  const { personId } = useSession();
  return (
    <>
      <PageHead title="My preferences" about="What you hear of, where and when; and your password." />
      <Stack maw={980}>
        {personId === null ? <Nobody /> : <Personal />}
        <Password />
      </Stack>
    </>
  );
}

function Personal() {
  const me = useMe();
  return (
    <Asked query={me}>
      {(data) => (
        <>
          <Wishes me={data} />
          <Habits me={data} />
          <Section title="You">
            <Yourself me={data} />
          </Section>
        </>
      )}
    </Asked>
  );
}

function Wishes({ me }: { me: Me }) {
  const categories = useCategories();
  const preferences = useMyPreferences();
  const set = useSetMyPreferences();
  return (
    <Section
      title="What you hear of"
      about="What is not marked is not sent to you there. Your inbox keeps all of it, without ringing."
    >
      <Asked query={categories}>
        {(known) => (
          <Asked query={preferences}>
            {(value) => (
              <PreferencesForm
                value={value}
                categories={known}
                reached={reachedBy(me.addresses)}
                onSave={(wanted) => set.mutateAsync(wanted)}
                saving={set.isPending}
              />
            )}
          </Asked>
        )}
      </Asked>
    </Section>
  );
}

function Habits({ me }: { me: Me }) {
  const change = useChangeMe();
  const { locale, timezone, quietHours } = me;
  return (
    <Section title="Language and time">
      <PersonalForm
        value={{ locale, timezone, quietHours }}
        onSave={(wanted) => change.mutateAsync(wanted)}
        saving={change.isPending}
      />
    </Section>
  );
}

function Password() {
  const standing = usePasswordStanding();
  return (
    <Section title="Password">
      <Asked query={standing}>{(data) => <PasswordForm standing={data} />}</Asked>
    </Section>
  );
}
