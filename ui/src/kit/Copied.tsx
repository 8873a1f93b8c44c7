import { Button, Code, CopyButton } from "@mantine/core";
import classes from "@/kit/Copied.module.css";

/** An id or a name that one takes along by pressing it. */
export function Copied({ text }: { text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          px={4}
          maw="100%"
          h="auto"
          classNames={{ label: classes.label ?? "" }}
          onClick={copy}
        >
          <Code bg="transparent">{copied ? "Copied" : text}</Code>
        </Button>
      )}
    </CopyButton>
  );
}
