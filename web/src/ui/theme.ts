// Light or dark: as the system wants, unless the user wants the other.
import { effect } from "@preact/signals";
import { theme } from "../core/store";

const key = "bristle-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const wanted = () => (dark.matches ? "dark" : "light");

export function startTheme(): void {
  const kept = localStorage.getItem(key);
  theme.value = kept === "light" || kept === "dark" ? kept : wanted();
  dark.addEventListener("change", () => {
    if (!localStorage.getItem(key)) theme.value = wanted();
  });
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
  });
}

export function switchTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  if (theme.value === wanted()) localStorage.removeItem(key);
  else localStorage.setItem(key, theme.value);
}
