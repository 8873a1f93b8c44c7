import { ActionIcon, Button, Group, Select, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import classes from "@/features/organizations/components/UserRows.module.css";
import { MOST_USERS, nobody, type UserDraft } from "@/features/organizations/logic/draft";
import { roleWords } from "@/features/organizations/logic/words";
import { roles } from "@/features/organizations/schemas";

interface Props {
  users: readonly UserDraft[];
  /** What is said at a field, `users.0.email`, once somebody was there. */
  at: (field: string) => string | undefined;
  visit: (field: string, value: string) => () => void;
  onChange: (users: UserDraft[]) => void;
}

/** Who is invited: a row each. */
export function UserRows({ users, at, visit, onChange }: Props) {
  const change = (id: number, part: Partial<UserDraft>) =>
    onChange(users.map((user) => (user.id === id ? { ...user, ...part } : user)));
  const add = () =>
    onChange([
      ...users,
      nobody(Math.max(0, ...users.map(({ id }) => id)) + 1, users.length === 0 ? "provider_admin" : "member"),
    ]);
  return (
    <>
      <ol className={classes.users} aria-label="Who is invited">
        {users.map((user, place) => (
          <One
            key={user.id}
            user={user}
            place={place}
            at={at}
            visit={visit}
            onChange={(part) => change(user.id, part)}
            onRemove={
              users.length === 1 ? undefined : () => onChange(users.filter(({ id }) => id !== user.id))
            }
          />
        ))}
      </ol>
      <Group justify="space-between" gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          disabled={users.length >= MOST_USERS}
          onClick={add}
        >
          Add somebody
        </Button>
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {at("users")}
        </Text>
      </Group>
    </>
  );
}

interface OneProps extends Pick<Props, "at" | "visit"> {
  user: UserDraft;
  place: number;
  onChange: (part: Partial<UserDraft>) => void;
  onRemove: (() => void) | undefined;
}

function One({ user, place, at, visit, onChange, onRemove }: OneProps) {
  const who = `person ${place + 1}`;
  const text = (field: "firstName" | "lastName" | "email", label: string) => ({
    label,
    "aria-label": `${label} of ${who}`,
    required: true,
    autoComplete: "off",
    value: user[field],
    error: at(`users.${place}.${field}`),
    onBlur: visit(`users.${place}.${field}`, user[field]),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <li className={classes.user}>
      <TextInput {...text("firstName", "First name")} />
      <TextInput {...text("lastName", "Last name")} />
      <TextInput type="email" {...text("email", "E-mail")} />
      <Select
        label="Role"
        aria-label={`Role of ${who}`}
        allowDeselect={false}
        data={roles.map((value) => ({ value, label: roleWords[value] }))}
        value={user.role}
        error={at(`users.${place}.role`)}
        onChange={(role) => role !== null && onChange({ role })}
      />
      {onRemove !== undefined && (
        <ActionIcon
          className={classes.remove ?? ""}
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Remove ${who}`}
          onClick={onRemove}
        >
          <IconTrash size={18} stroke={1.6} />
        </ActionIcon>
      )}
    </li>
  );
}
