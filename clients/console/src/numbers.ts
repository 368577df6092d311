/** Numbers that people type, with a point or a comma. */

/** The number; undefined where nothing was typed, and NaN where it is no number. */
export function typedNumber(text: string | undefined): number | undefined {
  const plain = (text ?? "").trim().replace(",", ".");
  return plain === "" ? undefined : Number(plain);
}

export function isNoNumber(text: string | undefined): boolean {
  return Number.isNaN(typedNumber(text));
}
