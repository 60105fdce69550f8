import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GUIDE_OVER_KEY, GUIDE_SLOT_ID } from '../data/guide-slot.ts';
import { useUser } from '../data/session.ts';
import { useT } from '../i18n/i18n.ts';
import { browserStorage } from '../ui/browser-storage.ts';
import { CompassIcon, StrategyIcon, UserIcon } from '../ui/icons.tsx';
import { buildMenu, routeTable } from '../route-table.ts';
import type { RouteIcon } from '../route-table.ts';

const icons: Record<RouteIcon, (size: number) => ReactNode> = {
  discover: (size) => <CompassIcon size={size} />,
  strategy: (size) => <StrategyIcon size={size} />,
  account: (size) => <UserIcon size={size} />,
};

const menu = buildMenu(routeTable);

/** The horizontal menu of the header. */
export function TopMenu() {
  const t = useT();
  return (
    <nav aria-label={t('shell.mainMenu')} className="flex gap-1 max-lg:hidden">
      {menu.map((entry) => (
        <Link
          key={entry.key}
          to={entry.key}
          className="flex items-center gap-1.5 rounded-s px-3 py-[7px] font-[550] whitespace-nowrap"
          activeProps={{ className: 'bg-hover text-text' }}
          inactiveProps={{ className: 'text-muted hover:text-text' }}
        >
          {entry.icon && icons[entry.icon](15)}
          {t(entry.label)}
        </Link>
      ))}
    </nav>
  );
}

/** The same menu at the thumb's reach on phones and tablets. The guide comes a moment later, and nothing moves for it. */
export function BottomMenu() {
  const t = useT();
  // With the next page the room goes, where the guide turned out to be over.
  useLocation({ select: ({ pathname }) => pathname });
  const withGuide = useUser((user) => user !== null && browserStorage.getItem(GUIDE_OVER_KEY) !== user.email);
  return (
    <nav
      aria-label={t('shell.mainMenu')}
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {menu.map((entry) => (
        <Link
          key={entry.key}
          to={entry.key}
          className="flex h-14 flex-col items-center justify-center gap-0.5 text-xs font-medium"
          activeProps={{ className: 'text-accent-text' }}
          inactiveProps={{ className: 'text-muted' }}
        >
          {entry.icon && icons[entry.icon](20)}
          {t(entry.label)}
        </Link>
      ))}
      <span id={GUIDE_SLOT_ID} className={withGuide ? 'grid' : 'grid empty:hidden'} />
    </nav>
  );
}
