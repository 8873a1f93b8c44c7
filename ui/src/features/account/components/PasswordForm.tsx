import { Alert, Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useChangePassword } from "@/features/account/operations/change-password";
import {
  newPasswordSchema,
  SHORTEST_PASSWORD,
  type NewPassword,
  type PasswordStanding,
} from "@/features/account/schemas";
import { Problem } from "@/kit/problem";
import { useSession } from "@/session/session";

const NOTHING: NewPassword = { current: "", password: "", again: "" };

/** One's own password: another, or the first. */
export function PasswordForm({ standing }: { standing: PasswordStanding }) {
  const change = useChangePassword();
  const { email } = useSession();
  const form = useForm<NewPassword>({
    initialValues: NOTHING,
    validate: schemaResolver(newPasswordSchema, { sync: true }),
  });
  if (!standing.maySet)
    return (
      <Alert color="gray">
        You came by the link of one tenant, and have places in others. Your first password is for an operator
        to set: <code>tidings user password</code>.
      </Alert>
    );
  const save = ({ current, password }: NewPassword) =>
    change.mutate(
      { current: standing.hasOne ? current : null, password },
      { onSuccess: form.reset, onError: (error) => form.setErrors(faultsOf(error)) },
    );
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack maw={420}>
        {!standing.hasOne && (
          <Text size="sm" c="dimmed">
            You have none yet, and came by a link. With a password you can come back without one.
          </Text>
        )}
        <input type="text" autoComplete="username" value={email ?? ""} readOnly hidden />
        {standing.hasOne && (
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            {...form.getInputProps("current")}
          />
        )}
        <PasswordInput
          label="New password"
          description={`At least ${SHORTEST_PASSWORD} characters. Long beats odd.`}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <PasswordInput
          label="The new one again"
          autoComplete="new-password"
          {...form.getInputProps("again")}
        />
        <Group justify="space-between">
          <Text size="xs" c="dimmed" flex={1}>
            Your other sessions end. Your API keys stay.
          </Text>
          <Button type="submit" loading={change.isPending}>
            {standing.hasOne ? "Change password" : "Set password"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function faultsOf(error: unknown): Record<string, string> {
  if (!(error instanceof Problem)) return {};
  const { current, password } = error.fields;
  return {
    ...(current === undefined ? {} : { current: "This is not your present password." }),
    ...(password === undefined ? {} : { password }),
  };
}
