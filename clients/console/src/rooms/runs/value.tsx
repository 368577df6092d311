/** A value with how sure it is. Sure, worth a look and doubtful differ by shape, too, not by colour alone. */

import type { Review } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { isObject } from "../../pointer.ts";
import type { Evidence } from "../../documents/evidence.ts";

export type Level = "sure" | "look" | "doubtful" | "none";

/** From here on a value is shown as sure without a review, and below the second as doubtful. */
const SURE = 0.9;
const LOOK = 0.6;

export function level(value: unknown, evidence: Evidence | undefined, review: Review | undefined): Level {
  if (review && review.state !== "open") return review.state === "not_stated" ? "none" : "sure";
  if (value === null || value === undefined) return review ? "doubtful" : "none";
  if (evidence?.accepted) return "sure";
  const confidence = evidence?.confidence;
  if (confidence === null || confidence === undefined) return "look";
  if (review) return confidence < LOOK ? "doubtful" : "look";
  return confidence >= SURE ? "sure" : confidence >= LOOK ? "look" : "doubtful";
}

export function Dot({ level }: { level: Level }) {
  return <span className={`dot ${level}`} role="img" aria-label={t(`level.${level}`)} />;
}

/** A value in few words. Text of documents is never markup. */
export function words(value: unknown): string {
  if (value === null || value === undefined) return t("not_stated");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return value.length > 300 ? `${value.slice(0, 300)}…` : value;
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== "object" || item === null);
    return isPlain && value.length <= 5 ? value.map(words).join("; ") : t("rows", { count: value.length });
  }
  if (isObject(value) && "amount" in value)
    return `${words(value.amount)} ${String(value.currency ?? "")}`.trim();
  return t("parts", { count: Object.keys(value).length });
}

/** The lowest confidence of the values at a pointer and below. */
export function weakest(evidence: Record<string, Evidence>, pointer: string): Evidence | undefined {
  const own = evidence[pointer];
  if (own) return own;
  const inner = Object.entries(evidence).filter(([place]) => place.startsWith(`${pointer}/`));
  return inner.map(([, found]) => found).sort((a, b) => (a.confidence ?? 1) - (b.confidence ?? 1))[0];
}
