import { Children } from 'react';
import type { ReactNode } from 'react';
import type { CallReply } from '@hunter/contract/calls';
import { formatSol } from '@hunter/domain/format/format-sol';
import { compareDecimals, subtractDecimals } from '@hunter/domain/numbers/decimal';
import { useT } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { Explain } from '../../ui/explain.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { Percent, Sol, Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

type Account = CallReply<'getMyAccount'>;

/** Balance, equity and return, each with what it means. */
export function AccountFigures({ account }: { account: Account | undefined }) {
  const t = useT();
  return (
    <div className="mb-3.5 grid grid-cols-2 gap-2.5 sm:gap-3.5 lg:grid-cols-4">
      <Balance account={account} />
      <Equity account={account} />
      <Figure
        name="total-return"
        label={t('account.totalReturnRate')}
        hint={t('account.totalReturnHint')}
        value={account && <Percent value={account.totalReturnRate} />}
        below={
          account && (
            <>
              {t('account.profit')} <Sol value={account.totalProfit} tone />
            </>
          )
        }
      />
      <Figure
        name="lead-profit"
        label={t('account.leadProfit')}
        hint={t('account.leadProfitText')}
        value={
          account && (
            <Chip tone="gold" className="text-sm!">
              {t('account.comingSoon')}
            </Chip>
          )
        }
        below={account && t('account.leadProfitText')}
      />
    </div>
  );
}

function Balance({ account }: { account: Account | undefined }) {
  const t = useT();
  return (
    <Figure
      name="balance"
      label={t('account.balance')}
      hint={t('account.balanceHint')}
      value={account && <Sol value={account.balance} />}
      below={
        account && (
          <Parts>
            {t('account.available', { amount: formatSol(account.available) })}
            {compareDecimals(account.balance, account.available) > 0 &&
              t('account.setAside', { amount: formatSol(subtractDecimals(account.balance, account.available)) })}
          </Parts>
        )
      }
    />
  );
}

function Equity({ account }: { account: Account | undefined }) {
  const t = useT();
  return (
    <Figure
      name="equity"
      label={t('account.equity')}
      hint={t('account.equityHint')}
      value={
        account && (
          <>
            <Sol value={account.equity} />
            <Usd
              value={account.equityUsd}
              className="ml-2 text-md font-normal tracking-normal text-muted max-sm:hidden"
            />
          </>
        )
      }
      below={
        account && (
          <Parts>
            {t('account.inStrategies', { amount: formatSol(account.inStrategies) })}
            {t('account.inFollows', { amount: formatSol(account.inFollows) })}
          </Parts>
        )
      }
    />
  );
}

/** Side by side where there is room, else one below the other; never broken within one. */
function Parts({ children }: { children: ReactNode }) {
  return Children.toArray(children).map((part, index) => (
    <span key={index} className="inline-block max-sm:block lg:max-xl:block">
      {index > 0 && <span className="whitespace-pre max-sm:hidden lg:max-xl:hidden"> · </span>}
      {part}
    </span>
  ));
}

function Figure({
  name,
  label,
  hint,
  value,
  below,
}: {
  name: string;
  label: string;
  hint: string;
  value: ReactNode;
  below: ReactNode;
}) {
  return (
    <section
      className="card flex min-h-[108px] sm:min-h-[104px] lg:max-xl:min-h-[122px] min-w-0 flex-col gap-1 p-3 sm:p-4"
      data-testid={`figure-${name}`}
    >
      <Explain title={label} text={hint}>
        <button
          type="button"
          className="flex items-center gap-1.5 self-start rounded text-sm text-muted hover:text-text"
        >
          {label}
          <InfoIcon size={13} className="text-faint" />
        </button>
      </Explain>
      <div className="flex h-8 items-center text-xl font-bold tracking-[-0.3px] sm:text-2xl">
        {value ?? <Skeleton width={120} height={24} />}
      </div>
      <div className="num min-h-[1.45em] text-sm whitespace-normal! text-faint">
        {below ?? <Skeleton width={90} height={12} />}
      </div>
    </section>
  );
}
