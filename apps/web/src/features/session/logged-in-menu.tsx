import { useNavigate } from '@tanstack/react-router';
import { formatSol } from '@hunter/domain/format/format-sol';
import { useEffect } from 'react';
import { openHelp } from '../../data/help.ts';
import { session, useUser } from '../../data/session.ts';
import { useStream } from '../../data/stream.ts';
import { useT } from '../../i18n/i18n.ts';
import { CheckIcon, ChevronDownIcon, InfoIcon, StrategyIcon, UserIcon } from '../../ui/icons.tsx';
import { FlameIcon, LogoutIcon } from '../../ui/page-icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UserAvatar } from '../../ui/user-avatar.tsx';
import { logOut } from './log-out.ts';
import { restoreWallet } from './restore-wallet.ts';

/** The balance is pushed when it changes; what tokens are worth changes all the time. */
const REPRICE_MS = 30_000;

const pages = [
  { to: '/account', title: 'shell.titles.account', Icon: UserIcon },
  { to: '/myfollowing', title: 'shell.titles.myFollowing', Icon: StrategyIcon },
  { to: '/mystrategy', title: 'shell.titles.myStrategy', Icon: StrategyIcon },
  { to: '/traders', title: 'shell.titles.traders', Icon: FlameIcon },
  { to: '/reserves', title: 'shell.titles.reserves', Icon: CheckIcon },
] as const;

function usePricedAgain(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void restoreWallet();
    }, REPRICE_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Equity as on the account page, what is available of it, and what they open. */
export default function LoggedInMenu() {
  const t = useT();
  const items = useItems();
  const user = useUser();
  useStream(
    'balance',
    user ? 'me' : null,
    (walletInfo) => session.setWalletInfo(walletInfo),
    () => void restoreWallet(),
  );
  usePricedAgain();
  if (!user) return null;
  const wallet = user.walletInfo;
  const equity = wallet ? formatSol(wallet.equity) : null;
  const available = wallet ? formatSol(wallet.available) : null;
  return (
    <Menu
      label={t('shell.userMenu', { equity: equity ?? '-', available: available ?? '-' })}
      triggerClassName="flex h-[34px] items-center gap-2 rounded-full border border-line pr-2 pl-1 max-[420px]:pl-2 font-semibold whitespace-nowrap hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-10"
      trigger={
        <>
          <span className="max-[420px]:hidden">
            <UserAvatar src={user.avatar} name={user.email} />
          </span>
          <span className="flex flex-col items-start leading-[1.15]">
            <span className="num" data-testid="header-balance">
              {equity ?? <Skeleton width={64} />}
            </span>{' '}
            <span className="num text-2xs font-normal text-muted max-sm:hidden" data-testid="header-available">
              {available === null ? <Skeleton width={64} height={9} /> : `${available} ${t('shell.availableShort')}`}
            </span>
          </span>
          <ChevronDownIcon size={14} className="text-faint max-sm:hidden" />
        </>
      }
      header={
        <div className="mb-1.5 max-w-60 border-b border-line px-2.5 pt-1 pb-2 text-sm text-muted">
          <p className="truncate">{user.email}</p>
          <KeyValue label={t('shell.equity')} className="pb-0">
            {equity ?? '-'}
          </KeyValue>
          <KeyValue label={t('shell.available')} className="pt-0.5">
            {available ?? '-'}
          </KeyValue>
        </div>
      }
      items={items}
    />
  );
}

/** What the menu opens. */
function useItems() {
  const t = useT();
  const navigate = useNavigate();
  return [
    ...pages.map(({ to, title, Icon }) => ({
      key: to,
      label: t(title),
      icon: <Icon size={16} />,
      onSelect: () => void navigate({ to }),
    })),
    {
      key: 'guide',
      label: t('shell.guide'),
      icon: <InfoIcon size={16} />,
      onSelect: () => openHelp('guide'),
    },
    {
      key: 'logout',
      label: t('shell.logout'),
      icon: <LogoutIcon size={16} />,
      onSelect: () => {
        logOut();
        void navigate({ to: '/login' });
      },
    },
  ];
}
