/** What the owner of the page chose, by the attributes of the script. */

import { LANGUAGES, type Language } from "./i18n.ts";

export interface Options {
  /** The address of the server: that of the script. */
  origin: string;
  key: string;
  language: Language;
  theme: "light" | "dark" | "auto";
  accent: string | undefined;
  position: "right" | "left" | "inline";
  target: string | undefined;
  opens: boolean;
  /** The page is the server's own, and has nothing but the form. */
  hosted: boolean;
}

export function readOptions(script: HTMLScriptElement): Options | string {
  const { key, theme, accent, position, target, open, hosted } = script.dataset;
  if (!key) return "data-key is missing";
  if (position === "inline" && !target) return 'data-position="inline" needs data-target';
  const { origin } = new URL(script.src);
  const own = hosted !== undefined;
  return {
    origin,
    key,
    language: language(script, own),
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    accent,
    position: position === "left" || position === "inline" ? position : "right",
    target,
    opens: open !== undefined,
    hosted: own,
  };
}

/** The language that is asked for, else that of the page, else the browser's. A hosted page has no language of its own. */
function language(script: HTMLScriptElement, hosted: boolean): Language {
  const page = hosted ? "" : document.documentElement.lang;
  const wanted = [script.dataset.language, page, ...navigator.languages];
  for (const tag of wanted) {
    const short = tag?.slice(0, 2).toLowerCase();
    const found = LANGUAGES.find((known) => known === short);
    if (found) return found;
  }
  return "en";
}
