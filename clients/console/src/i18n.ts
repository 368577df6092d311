/** The texts of the console. A text may have `{places}`, and forms by number: `{"one": …, "other": …}`. */

import { useSyncExternalStore } from "react";
import de from "../locales/de.json" with { type: "json" };
import en from "../locales/en.json" with { type: "json" };

export type Key = keyof typeof en;
type Forms = { one: string; other: string };
type Params = Record<string, string | number>;

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const TEXTS: Record<Language, Record<string, string | Forms>> = { en, de };
const STORED = "formwork.language";
const listeners = new Set<() => void>();
let language: Language = first();

function first(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return wanted.find((tag): tag is Language => tag === "en" || tag === "de") ?? "en";
}

document.documentElement.lang = language;

export function setLanguage(next: Language): void {
  language = next;
  localStorage.setItem(STORED, next);
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );
}

/** The text in the language of the page. `count` chooses the form by number. */
export function t(key: Key, params: Params = {}): string {
  const found = TEXTS[language][key] ?? TEXTS.en[key] ?? key;
  const text = typeof found === "string" ? found : found[plural(Number(params.count ?? 0))];
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name];
    return value === undefined ? place : typeof value === "number" ? number(value) : value;
  });
}

function plural(count: number): keyof Forms {
  return new Intl.PluralRules(language).select(count) === "one" ? "one" : "other";
}

export function number(value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** US dollars: cents, or as many places as a smaller amount needs. */
export function dollars(value: number): string {
  const places = Math.abs(value) >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 };
  return `$${new Intl.NumberFormat(language, places).format(value)}`;
}

/** A time of the interface, `YYYY-MM-DD hh:mm:ss` in UTC or RFC 3339. */
export function time(stamp: string): string {
  const date = new Date(stamp.includes("T") ? stamp : `${stamp.replace(" ", "T")}Z`);
  if (Number.isNaN(date.getTime())) return stamp;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}
