import { missingText, scoreText } from '../../features/strategy-card/tier-badge.tsx';
import { useT } from '../../i18n/i18n.ts';
import { Explained } from '../../ui/explained.tsx';
import { Percent } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import type { StrategyDetail } from './strategy-detail.ts';

/** What the ranking sees of the strategy, and what speaks against its creator. */
export function RecordCard({ strategy }: { strategy: StrategyDetail }) {
  const t = useT();
  const { record, missing, score, status, creatorHoldings } = strategy;
  return (
    <section className="card p-4" aria-labelledby="record-title">
      <h2 id="record-title" className="mb-2">
        {t('strategy.record.title')}
      </h2>
      {missing.length > 0 && status !== 'ended' && (
        <p className="mb-2 rounded-m bg-hover px-3 py-2 text-sm text-muted">
          {t('strategy.record.missing', { reasons: missingText(missing, t) })}
        </p>
      )}
      <KeyValue label={<Explained label={t('strategy.record.score')} text={t('strategies.scoreHint')} />}>
        {score === null ? '-' : scoreText(score)}
      </KeyValue>
      <KeyValue label={<Explained label={t('strategy.record.trips')} text={t('strategy.record.tripsHint')} />}>
        {record.countedTrips === 0
          ? t('strategy.record.noTrips')
          : t('strategy.record.won', { won: record.wonTrips, count: record.countedTrips })}
      </KeyValue>
      <KeyValue label={t('strategy.record.coins')}>{record.coins}</KeyValue>
      <KeyValue
        label={<Explained label={t('strategy.record.rankedYield')} text={t('strategy.record.rankedYieldHint')} />}
      >
        <Percent value={record.rankedYield} />
      </KeyValue>
      <KeyValue label={t('strategy.record.offMarket')}>
        {record.offMarketTrips === 0 ? t('strategy.record.offMarketNone') : record.offMarketTrips}
      </KeyValue>
      {record.offMarket.length > 0 && (
        <ul className="mb-1 text-sm" aria-label={t('strategy.record.offMarket')}>
          {record.offMarket.map((trip) => (
            <li key={`${trip.tokenContractAddress}-${trip.openTime}`} className="border-t border-line/55 py-1.5">
              <span className="flex justify-between gap-3">
                <bdi className="truncate font-semibold">{trip.tokenSymbol}</bdi>
                <span className="shrink-0 text-xs text-faint">
                  {t(trip.countsAsLost ? 'strategy.record.counts' : 'strategy.record.ignored')}
                  {' · '}
                  <RelativeTime timeMs={trip.openTime} />
                </span>
              </span>
              <span className="text-xs text-muted">{t(`strategy.record.reasons.${trip.reason}`)}</span>
            </li>
          ))}
        </ul>
      )}
      <KeyValue label={t('strategy.record.holdings')}>
        {creatorHoldings.length === 0 ? t('strategy.record.holdingsNone') : creatorHoldings.length}
      </KeyValue>
      {creatorHoldings.length > 0 && (
        <ul className="text-sm" aria-label={t('strategy.record.holdings')}>
          {creatorHoldings.map((coin) => (
            <li
              key={coin.tokenContractAddress}
              className="flex justify-between gap-3 border-t border-line/55 py-1.5 text-xs text-muted"
            >
              <bdi className="truncate text-sm font-semibold text-text">{coin.tokenSymbol}</bdi>
              <span className="shrink-0">
                {t('strategy.record.since', { where: t(`strategy.record.where.${coin.where}`) })}{' '}
                <RelativeTime timeMs={coin.since} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
