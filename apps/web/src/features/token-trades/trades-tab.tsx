import { useState } from 'react';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { tradeTracks, useTradeColumns } from './trade-columns.tsx';
import type { TokenTrade } from './trade-list.ts';
import { useLiveTrades } from './use-live-trades.ts';

export type WhoseTrades = 'all' | 'mine';

const keyOf = ({ id }: TokenTrade) => id;

export function TradesTab({ address, whose, height }: { address: string; whose: WhoseTrades; height: number }) {
  return whose === 'all' ? (
    <AllTrades address={address} height={height} />
  ) : (
    <MyTrades address={address} height={height} />
  );
}

/** New rows would move what somebody is about to read or click, so they wait while the pointer or the focus is inside. */
function AllTrades({ address, height }: { address: string; height: number }) {
  const t = useT();
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const columns = useTradeColumns();
  const { ref, isOnScreen } = useOnScreen();
  const { trades, loading, error, waiting, loadOlder, retry } = useLiveTrades(address, {
    paused: pointed || focused,
    isSeen: isOnScreen,
  });
  if (error) {
    return <ErrorState title={t('token.failedTrades')} error={error} onRetry={retry} height={height} />;
  }
  return (
    <div
      className={`relative ${tradeTracks}`}
      data-testid="trades"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <VirtualTable
        label={t('token.tabs.trades')}
        columns={columns}
        rows={trades}
        rowKey={keyOf}
        tracks="var(--tracks)"
        height={height}
        loading={loading}
        empty={<EmptyState text={t('token.trades.none')} />}
        onEnd={loadOlder}
      />
      {/* Where the rows are: the heads alone in view show no trades. */}
      <span ref={ref} className="pointer-events-none absolute inset-x-0 top-9 bottom-0" />
      {waiting > 0 && (
        <span className="pointer-events-none absolute inset-x-0 bottom-2 grid place-items-center">
          <Chip tone="accent" className="shadow-pop">
            {t('token.trades.paused', { count: waiting })}
          </Chip>
        </span>
      )}
    </div>
  );
}

function MyTrades({ address, height }: { address: string; height: number }) {
  const t = useT();
  const columns = useTradeColumns();
  const trades = useApiPages(
    'getTokenTransactionData',
    { tokenContractAddress: address, type: 'mine', limit: 100 },
    { quiet: true },
  );
  if (trades.error) {
    return <ErrorState title={t('token.failedTrades')} error={trades.error} onRetry={trades.retry} height={height} />;
  }
  return (
    <div className={tradeTracks} data-testid="my-trades">
      <VirtualTable
        label={t('token.tabs.trades')}
        columns={columns}
        rows={trades.rows}
        rowKey={keyOf}
        tracks="var(--tracks)"
        height={height}
        loading={trades.loading}
        empty={<EmptyState text={t('token.trades.noneOfMine')} />}
        onEnd={trades.loadMore}
      />
    </div>
  );
}
