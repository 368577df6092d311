/** The texts of the widget. A text may have `{places}`. */

import de from "../locales/de.json" with { type: "json" };
import en from "../locales/en.json" with { type: "json" };
import es from "../locales/es.json" with { type: "json" };
import fr from "../locales/fr.json" with { type: "json" };
import it from "../locales/it.json" with { type: "json" };
import nl from "../locales/nl.json" with { type: "json" };
import pl from "../locales/pl.json" with { type: "json" };
import pt from "../locales/pt.json" with { type: "json" };
import sv from "../locales/sv.json" with { type: "json" };

export type Key = keyof typeof en;
export type Translate = (key: Key, params?: Record<string, string | number>) => string;

const TEXTS = { en, de, fr, es, it, nl, pl, pt, sv };
export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as Language[];

export function translator(language: Language): Translate {
  const texts: Record<Key, string> = TEXTS[language];
  return (key, params = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
}

/** Whether the text is what a conversation begins with, in any language: it may go on in another one. */
export function isGreeting(text: string): boolean {
  return LANGUAGES.some((language) => TEXTS[language].hello === text);
}
