/** The colours: those of the system, or those that the user chose. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "formwork.theme";

export function theme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((known) => known === stored) ?? "system";
}

export function setTheme(next: Theme): void {
  localStorage.setItem(STORED, next);
  apply();
}

export function apply(): void {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
