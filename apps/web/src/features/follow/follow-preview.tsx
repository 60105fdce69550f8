import { compareDecimals } from '@hunter/domain/decimal';
import { formatSol } from '@hunter/domain/format-sol';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { skipText } from './skip-text.ts';

const REFRESH_MS = 5_000;

/** What following now would do, before anything is done. Keeps its height, so that the button below never moves. */
export function FollowPreview({
  slug,
  mode,
  amount,
}: {
  slug: string;
  mode: 'sol' | 'position';
  /** Null while what is typed is not an amount. */
  amount: string | null;
}) {
  const t = useT();
  const preview = useApiQuery(
    'previewFollow',
    { slug, mode, amount: amount ?? '1' },
    { enabled: amount !== null, refetchIntervalMs: REFRESH_MS, keepPrevious: true, staleTimeMs: 0 },
  );
  const data = amount === null ? undefined : preview.data;
  const bought = data?.buys.filter((buy) => buy.skip === null) ?? [];
  const skipped = data?.buys.filter((buy) => buy.skip !== null) ?? [];
  const waiting = amount !== null && preview.isPending;
  const show = (content: React.ReactNode) => (waiting ? <Skeleton width={90} /> : data ? content : '-');
  const small = data && amount !== null && compareDecimals(amount, data.smallestSensible) < 0;
  return (
    <div aria-live="polite" data-testid="follow-preview">
      <KeyValue label={t('strategy.follow.buysNow')} className="h-7 items-center">
        {show(
          <b className="font-semibold">
            {bought.length > 0
              ? t('strategy.follow.buysCoins', { count: bought.length })
              : t('strategy.follow.buysNothing')}
          </b>,
        )}
      </KeyValue>
      <KeyValue label={t('strategy.follow.staysSol')} className="h-7 items-center">
        {show(<Sol value={data?.staysSol} />)}
      </KeyValue>
      <KeyValue label={t('strategy.follow.cost')} className="h-7 items-center">
        {show(
          <>
            <Sol value={data?.cost} />
            {' · '}
            <Percent value={data?.costPercent} tone={false} />
          </>,
        )}
      </KeyValue>
      <KeyValue label={t('strategy.follow.smallest')} className="h-7 items-center">
        {show(<Sol value={data?.smallestSensible} />)}
      </KeyValue>
      <KeyValue label={t('strategy.follow.ifCancelled')} className="h-7 items-center">
        {show(<Sol value={data?.ifCancelledNow} />)}
      </KeyValue>
      <p className="min-h-[1.45em] text-sm text-warn">
        {small
          ? t('strategy.follow.belowSmallest', { amount: formatSol(data.smallestSensible) })
          : preview.error && amount !== null && !data
            ? t('strategy.follow.previewFailed')
            : skipped.length > 0 && (
                <span title={skipped.map((buy) => `${buy.tokenSymbol}: ${skipText(buy.skip, t)}`).join('\n')}>
                  {t('strategy.follow.skips', { count: skipped.length })}
                </span>
              )}
      </p>
    </div>
  );
}
