import { Link } from '@tanstack/react-router';
import { useAppConfig } from '../data/app-config.ts';
import { LanguageMenu } from '../features/language/language-menu.tsx';
import { SearchBox } from '../features/search/search-box.tsx';
import { UserMenu } from '../features/session/user-menu.tsx';
import { ThemeToggle } from '../features/theme/theme-toggle.tsx';
import { useT } from '../i18n/i18n.ts';
import { Logo } from '../ui/icons.tsx';
import { TopMenu } from './main-menu.tsx';

export function Header() {
  const t = useT();
  return (
    <header className="sticky top-0 z-30 flex h-[var(--header-height)] items-center gap-2 border-b border-line bg-surface px-3 sm:gap-3 sm:px-5">
      <Link
        to="/strategies"
        className="flex shrink-0 items-center gap-[9px] text-lg font-bold tracking-[0.2px]"
        aria-label={t('shell.productFull')}
      >
        <Logo />
        <span className="max-[420px]:hidden">{t('shell.product')}</span>
      </Link>
      <TopMenu />
      <SimulatedChip />
      <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-2">
        <SearchBox />
        <ThemeToggle />
        <LanguageMenu />
        <UserMenu />
      </div>
    </header>
  );
}

/** In local mode nobody should take the market for a real one. */
function SimulatedChip() {
  const t = useT();
  const config = useAppConfig();
  if (!config?.simulatedMarket) return null;
  return (
    <span
      title={t('shell.simulatedHint')}
      className="truncate rounded-full border border-dashed border-warn/50 px-[9px] py-0.5 text-xs whitespace-nowrap text-warn max-lg:text-2xs max-sm:max-w-32"
    >
      {t('shell.simulated')}
    </span>
  );
}
