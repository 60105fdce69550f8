import type { CallRequest } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { formatSol } from '@hunter/domain/format/format-sol';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { Explain } from '../../ui/explain.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { skipText } from './skip-text.ts';

const REFRESH_MS = 5_000;
const DEBOUNCE_MS = 250;

type Wanted = {
  slug: string;
  mode: 'sol' | 'position';
  /** Null while what is typed is not an amount. */
  amount: string | null;
  /** Null while one of its fields is wrong; then the defaults are previewed. */
  protection: CallRequest<'previewFollow'>['protection'] | null;
};

/** What following now would do, asked for once the typing rests. */
export function useFollowPreview({ slug, mode, amount, protection }: Wanted) {
  const rested = useDebounced(amount, DEBOUNCE_MS);
  const preview = useApiQuery(
    'previewFollow',
    { slug, mode, amount: rested ?? '1', ...(protection === null ? {} : { protection }) },
    { enabled: rested !== null, refetchIntervalMs: REFRESH_MS, keepPrevious: true, staleTimeMs: 0 },
  );
  const data = amount === null || rested === null ? undefined : preview.data;
  // Until the answer for this amount and mode comes, the figures are those of others.
  const old = data !== undefined && (rested !== amount || preview.isPlaceholderData);
  return {
    data,
    old,
    waiting: amount !== null && (rested === null || preview.isPending),
    failed: preview.isError && amount !== null && rested !== null && !data,
    /** The server would refuse it. */
    small: data !== undefined && !old && amount !== null && compareDecimals(amount, data.smallestSensible) < 0,
  };
}

/** What following now would do, before anything is done. Keeps its height, so that the button below never moves. */
export function FollowPreview({
  preview: { data, old, waiting, failed, small },
}: {
  preview: ReturnType<typeof useFollowPreview>;
}) {
  const t = useT();
  const bought = data?.buys.filter((buy) => buy.skip === null) ?? [];
  const skipped = data?.buys.filter((buy) => buy.skip !== null) ?? [];
  const show = (content: React.ReactNode) => (waiting ? <Skeleton width={90} /> : data ? content : '-');
  return (
    <div aria-live="polite" aria-busy={old} className={classNames(old && 'opacity-55')} data-testid="follow-preview">
      <KeyValue label={t('strategy.follow.buysNow')} className="h-7 items-center">
        {show(
          bought.length > 0
            ? t('strategy.follow.buysCoins', { count: bought.length })
            : t('strategy.follow.buysNothing'),
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
      <KeyValue label={t('strategy.follow.ifCanceled')} className="h-7 items-center">
        {show(<Sol value={data?.ifCancelledNow} />)}
      </KeyValue>
      <p className="min-h-[1.45em] text-sm text-warn">
        {small
          ? t('strategy.follow.belowSmallest', { amount: formatSol(data?.smallestSensible) })
          : failed
            ? t('strategy.follow.previewFailed')
            : skipped.length > 0 && (
                <Explain
                  title={t('strategy.follow.skips', { count: skipped.length })}
                  text={skipped.map((buy) => (
                    <bdi key={buy.tokenContractAddress} className="block">
                      {buy.tokenSymbol}: {skipText(buy.skip, t)}
                    </bdi>
                  ))}
                >
                  <button type="button" className="inline-flex items-center gap-1">
                    {t('strategy.follow.skips', { count: skipped.length })}
                    <InfoIcon size={12} />
                  </button>
                </Explain>
              )}
      </p>
    </div>
  );
}
