import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Door } from "@/kit/Door";
import { said } from "@/kit/problem";
import { useSignIn } from "@/session/sign-in";

const route = getRouteApi("/sign-in");

/** By link, with one press of a button (loading the page consumes nothing), or by e-mail and password. */
export function SignInPage() {
  const { token: given, to } = route.useSearch();
  const navigate = useNavigate();
  const [token] = useState(given); // a secret has no place in an address that is kept in the history
  useEffect(() => {
    if (given !== undefined)
      void navigate({ to: "/sign-in", search: to === undefined ? {} : { to }, replace: true });
  }, [given, to, navigate]);
  const signIn = useSignIn();
  const [linkIsSpent, setLinkIsSpent] = useState(false);
  const arrive = () => void navigate({ to: to ?? "/", replace: true });

  return (
    <Door title="Sign in">
      {signIn.error !== null && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert">
          {said(signIn.error)}
        </Alert>
      )}
      {token !== undefined && !linkIsSpent ? (
        <>
          <Text>This link signs you in once.</Text>
          <Button
            loading={signIn.isPending}
            onClick={() =>
              signIn.mutate({ token }, { onSuccess: arrive, onError: () => setLinkIsSpent(true) })
            }
          >
            Sign in
          </Button>
        </>
      ) : (
        <PasswordForm onSignedIn={arrive} signIn={signIn} />
      )}
      <Text size="sm" c="dimmed">
        {linkIsSpent && "Whoever gave you the link can make another. "}
        <code>tidings up</code> prints a sign-in link; <code>tidings user password</code> sets a password. The
        API reference is{" "}
        <Anchor href="/docs" underline="always">
          here
        </Anchor>
        .
      </Text>
    </Door>
  );
}

function PasswordForm({
  signIn,
  onSignedIn,
}: {
  signIn: ReturnType<typeof useSignIn>;
  onSignedIn: () => void;
}) {
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.includes("@") ? null : "An e-mail address, please."),
      password: (value) => (value === "" ? "Your password, please." : null),
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => signIn.mutate(values, { onSuccess: onSignedIn }))}>
      <Stack>
        <TextInput label="E-mail" type="email" autoComplete="username" {...form.getInputProps("email")} />
        <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps("password")} />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
