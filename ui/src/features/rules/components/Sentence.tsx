import { Mark, Paper, Text } from "@mantine/core";
import classes from "@/features/rules/components/Sentence.module.css";
import { ruleInWords } from "@/features/rules/logic/words";
import type { RuleParts } from "@/features/rules/schemas";

/** What the rule does, in words, as it stands this moment. */
export function Sentence({ rule }: { rule: RuleParts }) {
  return (
    <Paper withBorder p="md" className={classes.sentence ?? ""} role="region" aria-label="In words">
      <Text size="md" lh={1.6} className={classes.text ?? ""}>
        {ruleInWords(rule).map((piece, n) =>
          piece.is === "frame" ? (
            <span key={n}>{piece.text}</span>
          ) : piece.is === "given" ? (
            <strong key={n} className={classes.given}>
              {piece.text}
            </strong>
          ) : (
            <Mark key={n} className={classes.gap ?? ""}>
              {piece.text}
            </Mark>
          ),
        )}
      </Text>
    </Paper>
  );
}
