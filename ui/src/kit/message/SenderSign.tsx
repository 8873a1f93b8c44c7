import classes from "@/kit/message/message.module.css";

/** Stands for a sender's picture. */
export function SenderSign({ of }: { of: string }) {
  return (
    <span className={classes.sign} aria-hidden>
      {of.slice(0, 1).toUpperCase()}
    </span>
  );
}
