/** What went wrong with a request, as the visitor is told. */

import { Failure } from "./api.ts";
import type { Translate } from "./i18n.ts";

export interface Trouble {
  text: string;
  /** When another attempt makes sense, in milliseconds since the epoch. */
  from?: number;
  /** Another attempt with the same content is of no use. */
  final?: boolean;
  /** It may be gone when the browser is online again. */
  network?: boolean;
}

/** Seconds to wait where the server names none. */
const WAIT = 30;

export function trouble(error: unknown, t: Translate): Trouble {
  // A file that is gone or has changed since it was chosen.
  if (error instanceof DOMException) return { text: t("unreadable"), final: true };
  const failure = error instanceof Failure ? error : new Failure(500, "", undefined);
  const { status, message, wait } = failure;
  if (status === 0) return { text: t(navigator.onLine ? "unreachable" : "offline"), network: true };
  if (status === 401 || status === 403) {
    // The owner of the site can mend it, the visitor cannot.
    console.error(`formwork: ${message || status}`);
    return { text: t("unavailable"), final: true };
  }
  if (status === 413) return { text: t("too_much"), final: true };
  if (status === 429 || wait !== undefined) {
    const seconds = Math.max(1, wait ?? WAIT);
    return { text: t("wait", { time: duration(seconds) }), from: Date.now() + seconds * 1000 };
  }
  if (status === 409) return { text: t("busy") };
  if (status >= 400 && status < 500) return { text: t("refused", { reason: message }), final: true };
  return { text: t("failed") };
}

/** With symbols of units, which are the same in all languages. */
function duration(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
