/** A key for each request: what is sent again has the same one, and what was changed has another. */
export function keyMaker(): (request: string) => string {
  let last = { request: "", key: "" };
  return (request) => {
    if (last.key === "" || last.request !== request) last = { request, key: made() };
    return last.key;
  };
}

/** Where a page came over plain HTTP from another machine, browsers make no UUIDs. */
function made(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
