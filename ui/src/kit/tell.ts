import { notifications } from "@mantine/notifications";
import { said } from "@/kit/problem";

const closeButtonProps = { "aria-label": "Dismiss" };

/** A word in the corner: it worked. */
export function tellDone(message: string): void {
  notifications.show({ message, color: "teal", closeButtonProps });
}

/** A word in the corner: it did not, and why. What was shown ahead of time has been taken back. */
export function tellFailed(error: unknown): void {
  notifications.show({
    title: "This did not work",
    message: said(error),
    color: "red",
    autoClose: 8_000,
    closeButtonProps,
  });
}
