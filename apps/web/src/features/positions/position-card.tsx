import { useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { useFocusOfRemoved } from '../../ui/keep-focus.ts';
import { Percent, Sol, Tokens } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { sumPositions } from './position-sum.ts';
import type { PositionSum } from './position-sum.ts';
import type { Position } from './position.ts';

const loadDialog = () => import('./close-dialog.tsx');
const CloseDialog = late(loadDialog);
/** The value is what a sale would bring now; the server reckons it from the pool. */
const REFRESH_EVERY_MS = 5_000;

/** The same for a figure and for what waits for it. With as much room for nothing, what stands below never moves. */
const LINE = 'h-[28px]';
const LINES_PX = 5 * 28;

export function PositionCard({
  address,
  symbol,
  onClosed,
  onShare,
}: {
  address: string;
  symbol: string;
  onClosed: () => void;
  onShare?: (position: Position) => void;
}) {
  const t = useT();
  const [closing, setClosing] = useState(false);
  const card = useFocusOfRemoved<HTMLElement>();
  const query = useApiQuery(
    'getMyPositions',
    { tokenContractAddress: address, pageSize: 100 },
    { refetchIntervalMs: REFRESH_EVERY_MS, quiet: true },
  );
  const positions = query.data?.lists ?? [];
  const personal = positions.find(({ bookKind }) => bookKind === 'personal');
  const sum = positions.length > 0 ? sumPositions(positions) : null;
  return (
    <section
      ref={card}
      tabIndex={-1}
      className="card px-4 py-3.5 outline-none"
      aria-labelledby="position-card"
      data-testid="position-card"
    >
      <div className="flex h-8 items-center justify-between">
        <h2 id="position-card">{t('trade.position.title')}</h2>
        {sum && (
          <span className="flex gap-1.5">
            {personal && onShare && (
              <Button size="s" tone="plain" onClick={() => onShare(personal)}>
                {t('trade.position.share')}
              </Button>
            )}
            <Button
              size="s"
              tone="ghost"
              onPointerEnter={() => void loadDialog()}
              onClick={() => setClosing(true)}
              data-testid="close-position"
            >
              {t('trade.position.close')}
            </Button>
          </span>
        )}
      </div>
      {query.isError && !query.data ? (
        <QueryError query={query} title={t('trade.position.failed')} height={LINES_PX} />
      ) : query.data && !sum ? (
        <p className="mt-1.5 grid place-items-center text-center text-sm text-muted" style={{ height: LINES_PX }}>
          {t('trade.position.none', { symbol })}
        </p>
      ) : (
        <Lines positions={positions} sum={sum} symbol={symbol} />
      )}
      {closing && (
        <CloseDialog address={address} symbol={symbol} onClose={() => setClosing(false)} onClosed={onClosed} />
      )}
    </section>
  );
}

/** `sum` is null while the position is on its way. */
function Lines({
  positions,
  sum,
  symbol,
}: {
  positions: readonly Position[];
  sum: PositionSum | null;
  symbol: string;
}) {
  const t = useT();
  const openTime = Math.min(...positions.map((position) => position.openTime));
  const wait = <Skeleton width={72} />;
  return (
    <div className="mt-1.5">
      <KeyValue className={LINE} label={t('trade.position.amount')}>
        {sum ? (
          <span data-testid="position-amount">
            <Tokens value={sum.amount} /> <bdi className="inline-block max-w-24 truncate align-bottom">{symbol}</bdi>
          </span>
        ) : (
          wait
        )}
      </KeyValue>
      <KeyValue className={LINE} label={t('trade.position.cost')}>
        {!sum ? (
          wait
        ) : sum.cost === null ? (
          <span className="text-muted" title={t('trade.position.costUnknownText')}>
            {t('trade.position.costUnknown')}
          </span>
        ) : (
          <Sol value={sum.cost} />
        )}
      </KeyValue>
      <KeyValue className={LINE} label={t('trade.position.value')}>
        {sum ? <Sol value={sum.value} /> : wait}
      </KeyValue>
      <KeyValue className={LINE} label={t('trade.position.unrealized')}>
        {sum ? (
          <span className="font-semibold" data-testid="position-profit">
            <Sol value={sum.unrealized} tone />
            {' · '}
            <Percent value={sum.percent} />
          </span>
        ) : (
          wait
        )}
      </KeyValue>
      <KeyValue className={LINE} label={t('trade.position.opened')}>
        {sum ? <RelativeTime timeMs={openTime} /> : wait}
      </KeyValue>
      {positions.length > 1 && (
        <p className="mt-1 text-xs text-faint">{t('trade.position.books', { count: positions.length })}</p>
      )}
    </div>
  );
}
