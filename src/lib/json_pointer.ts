/** JSON pointers as fragments of an address, `#/a/0/b`. */

/** `#/a/0/b` as `a[0].b`. */
export function pathOf(pointer: string, root: string): string {
  const keys = pointer.split("/").slice(1).map(decodePointer);
  const path = keys.map((key, index) =>
    /^\d+$/.test(key) && index > 0 ? `[${key}]` : index === 0 ? key : `.${key}`
  ).join("");
  return path === "" ? root : path;
}

/** What a pointer leads to within `value`. */
export function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const key of pointer.split("/").slice(1).map(decodePointer)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** One step of a pointer as the key it stands for; as it is where its escapes are broken. */
export function decodePointer(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return step;
  }
}
