import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { passwordsSchema, SHORTEST_PASSWORD, type Passwords } from "@/features/organizations/logic/passwords";
import { isStatus, said } from "@/kit/problem";
import { refusedIn } from "@/kit/refused";

interface Props {
  email: string;
  /** There is a sign-in for the address already: its password is asked for, not a new one. */
  hasLogin: boolean;
  busy: boolean;
  error: unknown;
  onPassword: (password: string) => void;
}

/** The present password of the sign-in that there is; or a new one, twice. */
export function PasswordForm({ email, hasLogin, busy, error, onPassword }: Props) {
  const form = useForm<Passwords>({
    initialValues: { password: "", again: "" },
    validate: schemaResolver(passwordsSchema(hasLogin), { sync: true }),
  });
  const refused = isStatus(error, 401) ? said(error) : refusedIn(error)["password"];
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => onPassword(password))}>
      <Stack>
        <Text size="sm">
          {hasLogin
            ? "You have a sign-in for this address already. With its password the organisation is added to it."
            : "Choose a password: with it and your address you sign in from now on."}
        </Text>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={hasLogin ? "Your password" : "New password"}
          description={hasLogin ? undefined : `At least ${SHORTEST_PASSWORD} characters. Long beats odd.`}
          autoComplete={hasLogin ? "current-password" : "new-password"}
          autoFocus
          {...form.getInputProps("password")}
          error={form.errors["password"] ?? refused}
        />
        {!hasLogin && (
          <PasswordInput
            label="The same again"
            autoComplete="new-password"
            {...form.getInputProps("again")}
          />
        )}
        <Button type="submit" loading={busy}>
          Accept the invitation
        </Button>
      </Stack>
    </form>
  );
}
