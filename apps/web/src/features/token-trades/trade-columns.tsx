import { useMemo } from 'react';
import { useI18n } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { ExplorerLink } from '../../ui/explorer-link.tsx';
import { OpenIcon } from '../../ui/page-icons.tsx';
import { LightLink } from '../../ui/light-link.tsx';
import { Price, Sol, Tokens, Usd } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import type { Column } from '../../ui/table.tsx';
import type { TokenTrade } from './trade-list.ts';

/** One set of tracks per width, so that a hidden column leaves no gap. */
export const tradeTracks =
  'max-sm:[--tracks:64px_44px_minmax(0,1fr)_76px] sm:max-lg:[--tracks:76px_52px_minmax(0,1fr)_90px_90px] lg:[--tracks:80px_52px_minmax(0,1fr)_minmax(0,1fr)_92px_92px_minmax(0,1fr)]';

export function useTradeColumns(): readonly Column<TokenTrade>[] {
  const { t } = useI18n();
  return useMemo(() => columns(t), [t]);
}

function columns(t: Translate): readonly Column<TokenTrade>[] {
  return [
    {
      key: 'time',
      header: t('token.trades.time'),
      align: 'start',
      cell: ({ time }) => <RelativeTime timeMs={time} className="text-muted" />,
    },
    {
      key: 'side',
      header: t('token.trades.side'),
      align: 'start',
      cell: ({ side }) => (
        <span className={side === 'buy' ? 'text-up' : 'text-down'}>
          {t(side === 'buy' ? 'token.trades.buy' : 'token.trades.sell')}
        </span>
      ),
    },
    { key: 'price', header: t('token.trades.price'), cell: ({ price }) => <Price value={price} /> },
    {
      key: 'tokens',
      header: t('token.trades.tokens'),
      from: 'lg',
      cell: ({ tokenAmount }) => <Tokens value={tokenAmount} />,
    },
    {
      key: 'sol',
      header: t('token.trades.sol'),
      from: 'sm',
      cell: ({ solAmount }) => <Sol value={solAmount} />,
    },
    {
      key: 'value',
      header: t('token.trades.value'),
      cell: ({ valueUsd }) => <Usd value={valueUsd} />,
    },
    {
      key: 'wallet',
      header: t('token.trades.wallet'),
      from: 'lg',
      cell: ({ wallet, txHash }) => (
        <span className="inline-flex items-center justify-end gap-1.5 text-muted">
          <LightLink
            href={`/wallet/${wallet}`}
            title={wallet}
            className="num rounded hover:text-accent-text hover:underline"
          >
            {shortAddress(wallet)}
          </LightLink>
          <ExplorerLink
            kind="tx"
            id={txHash}
            title={`${t('token.trades.transaction')}: ${txHash}`}
            label={t('token.trades.transaction')}
            className="grid size-[24px] place-items-center rounded-md text-faint hover:bg-hover hover:text-text"
          >
            <OpenIcon size={12} />
          </ExplorerLink>
        </span>
      ),
    },
  ];
}
