export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = "assay.theme";

export function currentTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(KEPT)) ?? "system";
}

/** Applies the theme that the user chose, or that of the system. */
export function applyTheme(theme = currentTheme()): void {
  localStorage.setItem(KEPT, theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
