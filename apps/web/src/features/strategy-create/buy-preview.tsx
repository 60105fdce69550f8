import type { CallReply } from '@hunter/contract/calls';
import { addDecimals, subtractDecimals } from '@hunter/domain/numbers/decimal';
import { ApiFailure, failureText } from '../../data/api-failure.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { Percent, Sol, Tokens } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';

const REFRESH_MS = 5_000;
const DEBOUNCE_MS = 300;

/** What publishing would buy right now, coin by coin. */
export function BuyPreview({
  capital,
  coins,
}: {
  /** Null while what is typed is not an amount. */
  capital: string | null;
  coins: readonly { tokenContractAddress: string; weight: string }[];
}) {
  const { t, language } = useI18n();
  const rested = useDebounced(capital, DEBOUNCE_MS);
  const query = useApiQuery(
    'previewStrategy',
    { capital: rested ?? '1', coins: [...coins] },
    { enabled: rested !== null && coins.length > 0, refetchIntervalMs: REFRESH_MS, keepPrevious: true, staleTimeMs: 0 },
  );
  if (coins.length === 0) return <Note text={t('create.preview.nothing')} />;
  if (capital === null) return <Note text={t('create.preview.enter')} />;
  if (rested === null || query.isPending) return <Skeleton height={34 + coins.length * 28} />;
  if (!query.data) {
    // What would be refused, as too little capital, is told before it is tried.
    const isRefused = query.error instanceof ApiFailure && query.error.refusal !== null;
    return <Note text={isRefused ? failureText(query.error, language) : t('create.preview.failed')} />;
  }
  const { buys, cost, costPercent } = query.data;
  // Until the answer for this capital comes, the figures are those of another one.
  const old = rested !== capital || query.isPlaceholderData;
  const spent = addDecimals(...buys.filter((buy) => buy.skip === null).map((buy) => buy.solAmount));
  return (
    <div
      className={classNames('rounded-m border border-line p-3', old && 'opacity-55')}
      aria-busy={old}
      data-testid="buy-preview"
    >
      <BuyTable buys={buys} />
      <div className="border-t border-line pt-1">
        <KeyValue label={t('create.preview.staysSol')}>
          <Sol value={old ? null : subtractDecimals(capital, spent)} />
        </KeyValue>
        <KeyValue label={t('create.preview.cost')}>
          <Sol value={cost} />
          {' · '}
          <Percent value={costPercent} tone={false} />
        </KeyValue>
      </div>
    </div>
  );
}

function Note({ text }: { text: string }) {
  return <p className="rounded-m bg-hover px-3 py-2.5 text-sm text-muted">{text}</p>;
}

function BuyTable({ buys }: { buys: CallReply<'previewStrategy'>['buys'] }) {
  const t = useT();
  const head = 'text-right font-medium';
  return (
    <table className="mb-2 w-full text-sm">
      <caption className="pb-1.5 text-left text-sm font-[550] text-muted">{t('create.preview.title')}</caption>
      <thead>
        <tr className="text-xs text-faint">
          <th scope="col" className="text-left font-medium">
            {t('create.preview.coin')}
          </th>
          <th scope="col" className={head}>
            {t('create.preview.sol')}
          </th>
          <th scope="col" className={`${head} max-sm:hidden`}>
            {t('create.preview.tokens')}
          </th>
          <th scope="col" className={head}>
            {t('create.preview.impact')}
          </th>
        </tr>
      </thead>
      <tbody>
        {buys.map((buy) => (
          <tr key={buy.tokenContractAddress}>
            <td className="max-w-32 truncate py-1 font-semibold">
              <bdi>{buy.tokenSymbol}</bdi>
            </td>
            {buy.skip === null ? (
              <>
                <td className="text-right">
                  <Sol value={buy.solAmount} />
                </td>
                <td className="text-right max-sm:hidden">
                  <Tokens value={buy.expectedTokens} />
                </td>
                <td className="text-right">
                  <Percent value={buy.priceImpact} tone={false} />
                </td>
              </>
            ) : (
              <td className="text-right text-warn" colSpan={3}>
                {t('create.preview.notBought')}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
