/** JSON pointers (RFC 6901). */

export function segments(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function join(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function at(value: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The single values of a value with their pointers, at most so many. */
export function leaves(
  value: unknown,
  limit: number,
  pointer = "",
  found: [string, unknown][] = [],
): [string, unknown][] {
  if (found.length >= limit) return found;
  if (Array.isArray(value)) value.forEach((item, index) => leaves(item, limit, join(pointer, index), found));
  else if (isObject(value))
    for (const name of Object.keys(value)) leaves(value[name], limit, join(pointer, name), found);
  else if (found.length < limit) found.push([pointer, value]);
  return found;
}

/** The pointer in words: `lines › 2 › amount`, rows counted from 1. */
export function words(pointer: string): string {
  return segments(pointer)
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part))
    .join(" › ");
}
