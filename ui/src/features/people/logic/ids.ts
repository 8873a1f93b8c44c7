/** "The Kitchen, upstairs" as an id that one can write in a rule: the-kitchen-upstairs. */
export function idFrom(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}
