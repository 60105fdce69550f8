import { Link } from '@tanstack/react-router';
import { useAppConfig } from '../data/app-config.ts';
import { AlertBell } from '../features/alerts/alert-bell.tsx';
import { LanguageMenu } from '../features/language/language-menu.tsx';
import { SearchBox } from '../features/search/search-box.tsx';
import { UserMenu } from '../features/session/user-menu.tsx';
import { ThemeToggle } from '../features/theme/theme-toggle.tsx';
import { useT } from '../i18n/i18n.ts';
import { Logo } from '../ui/icons.tsx';
import { headerClass, productClass } from './header-frame.ts';
import { TopMenu } from './main-menu.tsx';

export function Header() {
  const t = useT();
  return (
    <header className={headerClass}>
      <Link to="/strategies" className={productClass} aria-label={t('shell.productFull')}>
        <Logo />
        <span className="max-[420px]:hidden">{t('shell.product')}</span>
      </Link>
      <TopMenu />
      <SimulatedChip />
      <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-2">
        <SearchBox />
        <AlertBell />
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
      className="shrink-0 rounded-full border border-dashed border-warn/50 px-[9px] py-0.5 text-xs text-warn max-sm:px-1.5 max-sm:text-2xs"
    >
      <span className="max-xl:hidden">{t('shell.simulated')}</span>
      <span className="xl:hidden">{t('shell.simulatedShort')}</span>
    </span>
  );
}
