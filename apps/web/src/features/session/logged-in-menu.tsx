import { useNavigate } from '@tanstack/react-router';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import { formatSol } from '@hunter/domain/format/format-sol';
import { printSol, SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { openHelp } from '../../data/help.ts';
import { session, useUser } from '../../data/session.ts';
import { useStream } from '../../data/stream.ts';
import { useT } from '../../i18n/i18n.ts';
import {
  CheckIcon,
  ChevronDownIcon,
  FlameIcon,
  InfoIcon,
  LogoutIcon,
  StrategyIcon,
  UserIcon,
} from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UserAvatar } from '../../ui/user-avatar.tsx';
import { logOut } from './log-out.ts';
import { restoreWallet } from './restore-wallet.ts';

/** The balance, and what it opens. */
export default function LoggedInMenu() {
  const t = useT();
  const navigate = useNavigate();
  const user = useUser();
  useStream(
    'balance',
    user ? 'me' : null,
    (walletInfo) => session.setWalletInfo(walletInfo),
    () => void restoreWallet(),
  );
  if (!user) return null;
  const wallet = user.walletInfo;
  const total = wallet ? formatSol(totalOf(wallet)) : null;
  const available = wallet ? formatSol(wallet.available) : null;
  return (
    <Menu
      label={t('shell.userMenu', { total: total ?? '-', available: available ?? '-' })}
      triggerClassName="flex h-[34px] items-center gap-2 rounded-full border border-line pr-2 pl-1 max-[420px]:pl-2 font-semibold whitespace-nowrap hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-10"
      trigger={
        <>
          <span className="max-[420px]:hidden">
            <UserAvatar src={user.avatar} name={user.email} />
          </span>
          <span className="flex flex-col items-start leading-[1.15]">
            <span className="num" data-testid="header-balance">
              {total ?? <Skeleton width={64} />}
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
          <KeyValue label={t('shell.total')} className="pb-0">
            {total ?? '-'}
          </KeyValue>
          <KeyValue label={t('shell.available')} className="pt-0.5">
            {available ?? '-'}
          </KeyValue>
        </div>
      }
      items={[
        {
          key: 'account',
          label: t('shell.titles.account'),
          icon: <UserIcon size={16} />,
          onSelect: () => void navigate({ to: '/account' }),
        },
        {
          key: 'myfollowing',
          label: t('shell.titles.myFollowing'),
          icon: <StrategyIcon size={16} />,
          onSelect: () => void navigate({ to: '/myfollowing' }),
        },
        {
          key: 'mystrategy',
          label: t('shell.titles.myStrategy'),
          icon: <StrategyIcon size={16} />,
          onSelect: () => void navigate({ to: '/mystrategy' }),
        },
        {
          key: 'traders',
          label: t('shell.titles.traders'),
          icon: <FlameIcon size={16} />,
          onSelect: () => void navigate({ to: '/traders' }),
        },
        {
          key: 'reserves',
          label: t('shell.titles.reserves'),
          icon: <CheckIcon size={16} />,
          onSelect: () => void navigate({ to: '/reserves' }),
        },
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
      ]}
    />
  );
}

/** The wallet and what is in strategies and follows; null where that cannot be priced just now. */
function totalOf({ tokenBalance, committed }: { tokenBalance: string; committed: string | null }): string | null {
  if (committed === null) return null;
  return printSol(parseDecimal(tokenBalance, SOL_DECIMALS) + parseDecimal(committed, SOL_DECIMALS));
}
