import { Link } from '@tanstack/react-router';
import { useT } from '../../i18n/i18n.ts';
import { skipText } from '../../features/follow/skip-text.ts';
import { KeyValue } from '../../ui/stat.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import type { StrategyDetail } from './strategy-detail.ts';

const ROUNDS_SHOWN = 8;
const REASONS_SHOWN = 4;

/** How the copies of these rounds went, and why those were skipped that were. */
function Copies({ copies: { filled, skipped, reasons } }: Pick<StrategyDetail, 'copies'>) {
  const t = useT();
  return (
    <div className="mb-2 border-b border-line pb-2" role="group" aria-label={t('strategy.copies.title')}>
      <KeyValue label={t('strategy.copies.filled')}>{filled}</KeyValue>
      <KeyValue label={t('strategy.copies.skipped')}>{skipped}</KeyValue>
      {reasons.slice(0, REASONS_SHOWN).map(({ reason, count }) => (
        <KeyValue key={reason} label={<span className="pl-3 text-faint">{skipText(reason, t)}</span>}>
          {count}
        </KeyValue>
      ))}
    </div>
  );
}

/** The creator's last trades and how many of the followers could take part in each. */
export function RoundsCard({ rounds, copies }: Pick<StrategyDetail, 'rounds' | 'copies'>) {
  const t = useT();
  return (
    <section className="card p-4">
      <h2 className="mb-2">{t('strategy.rounds.title')}</h2>
      {copies.filled + copies.skipped > 0 && <Copies copies={copies} />}
      {rounds.length === 0 && <p className="text-sm text-faint">{t('strategy.rounds.none')}</p>}
      <ul className="flex flex-col">
        {rounds.slice(0, ROUNDS_SHOWN).map((round) => {
          const all = round.copied + round.skipped;
          return (
            <li
              key={`${round.time}-${round.tokenContractAddress}-${round.side}`}
              className="flex items-center justify-between gap-3 border-b border-line/55 py-2 text-sm last:border-0"
            >
              <span className="min-w-0">
                <Link
                  to="/token/$tokenAddress"
                  params={{ tokenAddress: round.tokenContractAddress }}
                  className="block truncate font-semibold hover:text-accent-text"
                >
                  <bdi>
                    {t(round.side === 'buy' ? 'strategy.rounds.bought' : 'strategy.rounds.sold', {
                      symbol: round.tokenSymbol,
                    })}
                  </bdi>
                </Link>
                <RelativeTime timeMs={round.time} className="text-xs text-faint" />
              </span>
              <span className="flex flex-col items-end">
                <Sol value={round.solAmount} />
                <span className="num text-xs text-faint">
                  {all === 0 ? t('strategy.rounds.alone') : t('strategy.rounds.copied', { copied: round.copied, all })}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
