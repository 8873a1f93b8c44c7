import { Group, Text } from "@mantine/core";

/** Our sign and our name. */
export function Mark() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/favicon.svg" width={26} height={26} alt="" />
      <Text fw={680} size="lg" lh={1}>
        Tidings
      </Text>
    </Group>
  );
}
