import { Anchor, Stack, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { OrganizationStatusBadge } from "@/features/organizations/components/OrganizationStatusBadge";
import classes from "@/features/organizations/components/OrganizationTree.module.css";
import { placesOf, type Place } from "@/features/organizations/logic/tree";
import { isOpen, typeWords } from "@/features/organizations/logic/words";
import type { Organization } from "@/features/organizations/schemas";
import { Row, Rows } from "@/kit/Rows";
import { When } from "@/kit/When";
import { amountOf } from "@/kit/words";

interface Props {
  organizations: readonly Organization[];
  /** Their parents that are on no page of theirs. */
  above: readonly Organization[];
}

/** Partners right below their parents. */
export function OrganizationTree({ organizations, above }: Props) {
  const names = new Map([...organizations, ...above].map(({ id, name }) => [id, name]));
  return (
    <Rows label="Organisations" columns="minmax(0, 1.5fr) minmax(0, 1.3fr) minmax(0, 1fr)">
      {placesOf(organizations, above).map((place) => (
        <One
          key={place.organization.id}
          place={place}
          parent={names.get(place.organization.parentId ?? "")}
        />
      ))}
    </Rows>
  );
}

function One({ place, parent }: { place: Place; parent: string | undefined }) {
  const { organization, depth, context } = place;
  const { id, name, type, domain, status, leftOver, createdAt } = organization;
  return (
    <Row faint={context || status === "failed" || status === "cancelled"}>
      <div
        className={classes.name}
        data-below={depth > 0 || undefined}
        style={{ "--depth": depth } as React.CSSProperties}
      >
        <Stack gap={2}>
          <Anchor
            component={Link}
            to={isOpen(status) ? `/organizations/bootstrap/${id}/status` : `/organizations/${id}`}
            fw={600}
            size="sm"
            c="var(--mantine-color-text)"
          >
            {name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {typeWords[type]}
            {parent !== undefined && <VisuallyHidden> of {parent}</VisuallyHidden>}
            {context && ", shown for what is below it"}
          </Text>
        </Stack>
      </div>
      <Text size="sm" c="dimmed">
        {domain}
      </Text>
      <Stack gap={2} align="flex-start">
        <OrganizationStatusBadge status={status} />
        <Text size="xs" c="dimmed">
          {leftOver.length > 0 ? (
            `${amountOf(leftOver.length, "step")} left over`
          ) : (
            <>
              asked for <When at={createdAt} />
            </>
          )}
        </Text>
      </Stack>
    </Row>
  );
}
