import * as store from "../core/store";
import { Button } from "./parts";
import { switchTheme } from "./theme";

// What every page has: light or dark, and help.
export function PageButtons() {
  const isDark = store.theme.value === "dark";
  return (
    <>
      <Button icon={isDark ? "sun" : "moon"} label={isDark ? "Light" : "Dark"} keys="t" class="page-button" onClick={switchTheme} />
      <Button icon="help" label="Keyboard help" keys="?" class="page-button" onClick={() => (store.isHelpOpen.value = true)} />
    </>
  );
}
