import { Button, FileButton, Stack, Text } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { useState, type DragEvent } from "react";
import classes from "@/features/people/components/DropArea.module.css";

interface Props {
  onFile: (file: File) => void;
  disabled: boolean;
}

/** Where a file is let go, or chosen. */
export function DropArea({ onFile, disabled }: Props) {
  const [over, setOver] = useState(false);
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined && !disabled) onFile(file);
  };
  return (
    <Stack
      align="center"
      gap="xs"
      className={classes.area ?? ""}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <IconFileSpreadsheet size={30} stroke={1.4} aria-hidden />
      <Text size="sm" ta="center">
        Drop a CSV file here, or
      </Text>
      <FileButton
        accept=".csv,text/csv"
        disabled={disabled}
        inputProps={{ "aria-label": "A CSV file" }}
        onChange={(file) => file !== null && onFile(file)}
      >
        {(props) => (
          <Button {...props} variant="default">
            Choose a file
          </Button>
        )}
      </FileButton>
    </Stack>
  );
}
