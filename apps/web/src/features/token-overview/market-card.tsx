import { useLivePrice } from '../../data/live-prices.ts';
import { useT } from '../../i18n/i18n.ts';
import { Count, Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import type { TokenInfo } from './use-token-info.ts';

/** The market of the last day: how much was bought and sold, and how often. */
export function MarketCard({ address, info }: { address: string; info: TokenInfo | undefined }) {
  const t = useT();
  const market = info?.market;
  const [buys, sells] = [market?.buyCount ?? null, market?.sellCount ?? null];
  const known = buys === null || sells === null ? null : { buys, sells, all: buys + sells };
  const wait = <Skeleton width={56} />;
  return (
    <section className="card px-4 py-3.5" aria-labelledby="market-card" data-testid="market-card">
      <h2 id="market-card">{t('token.market.title')}</h2>
      <div className="mt-2 flex justify-between text-sm">
        <span className="text-up">
          {t('token.market.buys')} {market && <Count value={market.buyCount} />}
        </span>
        <span className="text-down">
          {t('token.market.sells')} {market && <Count value={market.sellCount} />}
        </span>
      </div>
      <div
        className="mt-1.5 mb-1.5 flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-hover"
        {...(known ? { role: 'img', 'aria-label': t('token.market.balance', known) } : {})}
      >
        {known && known.all > 0 && (
          <>
            <span
              className="bg-up transition-[width] duration-300"
              style={{ width: `${(known.buys / known.all) * 100}%` }}
            />
            <span className="flex-1 bg-down" />
          </>
        )}
      </div>
      <KeyValue label={t('token.market.trades')}>{market ? <Count value={market.tradeCount} /> : wait}</KeyValue>
      <KeyValue label={t('token.market.volume')}>{market ? <Usd value={market.tradeVolume} /> : wait}</KeyValue>
      <KeyValue label={t('token.market.holders')}>
        {market ? <LiveHolders address={address} polled={market.holders} /> : wait}
      </KeyValue>
    </section>
  );
}

/** The same figure as in the header, at the same time. */
function LiveHolders({ address, polled }: { address: string; polled: number }) {
  return <Count value={useLivePrice(address)?.holders ?? polled} />;
}
