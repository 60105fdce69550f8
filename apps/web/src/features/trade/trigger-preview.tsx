import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { formatPercent } from '@hunter/domain/format/format-percent';
import { useApiQuery } from '../../data/use-api-query.ts';
import { failureText } from '../../data/api-failure.ts';
import { useI18n } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Percent, Price, Sol, Tokens, Usd } from '../../ui/numbers.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { Warning } from '../../ui/warning.tsx';
import { slippageText } from './slippage-text.ts';

type Preview = CallReply<'previewTrigger'>['lists'][number];
type Level = CallRequest<'previewTrigger'>['triggers'][number]['level'];

const REFRESH_EVERY_MS = 8_000;
const DEBOUNCE_MS = 300;
const NOTHING: CallRequest<'previewTrigger'> = { tokenContractAddress: '', triggers: [] };

/** When it would fire and what it would get, as far as the server can say now. */
export function TriggerPreview({ request, symbol }: { request: CallRequest<'previewTrigger'> | null; symbol: string }) {
  const { t, language } = useI18n();
  const text = useDebounced(JSON.stringify(request), DEBOUNCE_MS);
  const asked = JSON.parse(text) as CallRequest<'previewTrigger'> | null;
  const query = useApiQuery('previewTrigger', asked ?? NOTHING, {
    enabled: asked !== null,
    refetchIntervalMs: REFRESH_EVERY_MS,
    staleTimeMs: 0,
    keepPrevious: true,
    quiet: true,
  });
  if (!request || !asked) return null;
  if (query.isError) return <Note text={failureText(query.error, language)} />;
  const previews = query.data?.lists ?? [];
  // One that is shown while the next is on its way may be of other orders.
  const shown = query.isPlaceholderData && previews.length !== request.triggers.length ? [] : previews;
  const warnings = [...new Set(shown.flatMap((preview) => preview.warnings))];
  return (
    <div
      className={`mt-2 flex flex-col gap-2 ${query.isPlaceholderData ? 'opacity-55' : ''}`}
      role="group"
      aria-label={t('triggers.preview.title')}
      data-testid="trigger-preview"
    >
      {shown.map((preview, at) => (
        <Lines
          key={at}
          preview={preview}
          symbol={symbol}
          // What is shown meanwhile may be of other levels than what is asked for.
          title={
            shown.length > 1
              ? titleOf(preview, query.isPlaceholderData ? undefined : asked.triggers[at]?.level, t)
              : null
          }
        />
      ))}
      {warnings.map((warning) => (
        <Warning key={warning} text={t(`triggers.warnings.${warning}`)} />
      ))}
    </div>
  );
}

function Note({ text }: { text: string }) {
  return (
    <div className="mt-2">
      <Warning text={text} />
    </div>
  );
}

/** A ladder has several of one kind, so each is named with its level. */
function titleOf({ kind, side }: Preview, level: Level, t: Translate): string {
  const name = t(`triggers.kinds.${kind === 'limit' || kind === 'dca' ? (`${kind}-${side}` as const) : kind}`);
  return level?.unit === 'percent' ? `${name} ${kind === 'take-profit' ? '+' : '−'}${level.value}%` : name;
}

function Lines({ preview, symbol, title }: { preview: Preview; symbol: string; title: string | null }) {
  const { t } = useI18n();
  const { firesAt, fillsAt, priceImpact, getsAbout, side } = preview;
  return (
    <div>
      {title !== null && <h3>{title}</h3>}
      {firesAt && (
        <KeyValue label={t('triggers.preview.firesAt')}>
          <span data-testid="fires-at">
            <PriceThen {...firesAt} />
            {/* How far the price still has to go: neither gain nor loss, so it has no colour. */}
            {firesAt.fromNow !== null && (
              <span className="num text-faint">{` (${formatPercent(Number(firesAt.fromNow).toFixed(2))})`}</span>
            )}
          </span>
        </KeyValue>
      )}
      {title === null && firesAt?.marketCap && (
        <KeyValue label={t('triggers.preview.cap')}>
          <Usd value={firesAt.marketCap} />
        </KeyValue>
      )}
      {priceImpact !== null && (
        <KeyValue label={t('trade.quote.impact')}>
          <Percent value={priceImpact} tone={false} />
        </KeyValue>
      )}
      {fillsAt && (
        <KeyValue label={t('triggers.preview.fillsAt')}>
          <span data-testid="fills-at">
            <PriceThen {...fillsAt} />
            {fillsAt.priceUsd !== null && (
              <span className="block text-xs text-faint">
                <Price value={fillsAt.priceSol} unit="sol" />
              </span>
            )}
          </span>
        </KeyValue>
      )}
      <KeyValue label={t('triggers.preview.gets')}>
        <span className="font-semibold" data-testid="gets-about">
          {getsAbout === null ? (
            '-'
          ) : side === 'buy' ? (
            <>
              <Tokens value={getsAbout} /> <bdi className="inline-block max-w-24 truncate align-bottom">{symbol}</bdi>
            </>
          ) : (
            <Sol value={getsAbout} />
          )}
        </span>
      </KeyValue>
      {title === null && (
        <KeyValue label={t('triggers.preview.slippage')}>
          <span className="num">{`${slippageText(preview.slippageBps)}%`}</span>
        </KeyValue>
      )}
    </div>
  );
}

function PriceThen({ priceSol, priceUsd }: { priceSol: string; priceUsd: string | null }) {
  return priceUsd === null ? <Price value={priceSol} unit="sol" /> : <Price value={priceUsd} />;
}
