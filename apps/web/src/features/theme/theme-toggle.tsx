import { useT } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { MoonIcon, SunIcon } from '../../ui/icons.tsx';
import { toggleTheme, useTheme } from '../../ui/theme.ts';

/** Shows the theme that is on; its name says what a click does. */
export function ThemeToggle() {
  const t = useT();
  const theme = useTheme();
  return (
    <IconButton
      label={t(theme === 'dark' ? 'shell.themeToLight' : 'shell.themeToDark')}
      onClick={toggleTheme}
      data-testid="theme-toggle"
    >
      {theme === 'dark' ? <MoonIcon /> : <SunIcon />}
    </IconButton>
  );
}
