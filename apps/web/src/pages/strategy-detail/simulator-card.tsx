import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { api } from '../../data/api.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { ProtectionDisclosure } from '../../features/follow/protection-fields.tsx';
import { DEFAULT_PROTECTION, protectionRequest } from '../../features/follow/protection.ts';
import { skipText } from '../../features/follow/skip-text.ts';
import { YieldChart } from '../../features/yield-chart/yield-chart.tsx';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { CHART_HEIGHT } from '../../ui/line-chart.tsx';
import type { LinePoint } from '../../ui/line-scale.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { QueryError } from '../../ui/error-state.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolAmountField } from '../../ui/sol-amount-field.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { usePending } from '../../ui/use-pending.ts';

type Simulation = CallReply<'simulateFollow'>;
const spans = { all: null, '30d': 30, '7d': 7, '24h': 1 } as const;
type Span = keyof typeof spans;
const DAY_MS = 86_400_000;
const DEBOUNCE_MS = 400;

type CardProps = { slug: string; publishTime: number; isRunning: boolean };

/** What following would have become. Nothing is asked for before somebody wants to know. */
export function SimulatorCard({ slug, publishTime, isRunning }: CardProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <section className="card p-4 sm:p-5" aria-label={t('strategy.simulator.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2>{t('strategy.simulator.title')}</h2>
          <p className="mt-1 text-sm text-muted">{t('strategy.simulator.text')}</p>
        </div>
        {!open && (
          <Button tone="ghost" onClick={() => setOpen(true)}>
            {t('strategy.simulator.open')}
          </Button>
        )}
      </div>
      {open && <Simulator slug={slug} publishTime={publishTime} isRunning={isRunning} />}
    </section>
  );
}

function Simulator({ slug, publishTime, isRunning }: CardProps) {
  const t = useT();
  const [mode, setMode] = useState<'sol' | 'position'>('sol');
  const [text, setText] = useState('1');
  const [span, setSpan] = useState<Span>('all');
  const [openedMs] = useState(() => Date.now());
  const [protection, setProtection] = useState(DEFAULT_PROTECTION);
  const problem = amountProblem(text, null);
  const chosen = protectionRequest(protection);
  const days = spans[span];
  const follow = { slug, mode, amount: tidyAmount(text), ...(chosen === null ? {} : { protection: chosen }) };
  const request = { ...follow, ...(days === null ? {} : { since: openedMs - days * DAY_MS }) };
  const isWrong = problem !== null || chosen === null;
  const rested = useDebounced(isWrong ? null : JSON.stringify(request), DEBOUNCE_MS);
  const query = useApiQuery('simulateFollow', rested === null ? request : JSON.parse(rested), {
    enabled: rested !== null,
    keepPrevious: true,
  });
  return (
    <div className="mt-4 flex flex-col gap-4">
      <div className="grid gap-3 md:grid-cols-[minmax(0,160px)_auto_minmax(0,1fr)] md:items-end">
        <SolAmountField
          label={t('strategy.follow.amount')}
          error={problem === null ? null : t(`strategy.follow.errors.${problem}`)}
          value={text}
          onValue={setText}
        />
        <SegmentedControl
          label={t('strategy.follow.mode')}
          value={mode}
          onChange={setMode}
          options={(['sol', 'position'] as const).map((key) => ({ key, label: t(`strategy.follow.modes.${key}`) }))}
        />
        <SegmentedControl
          label={t('strategy.simulator.since')}
          value={span}
          onChange={setSpan}
          options={(Object.keys(spans) as Span[]).map((key) => ({
            key,
            label: t(`strategy.simulator.sinceOptions.${key}`),
          }))}
          className="md:justify-self-end"
        />
      </div>
      <ProtectionDisclosure value={protection} onValue={setProtection} disabled={false} />
      {query.data ? (
        <div className={classNames(query.isPlaceholderData && 'opacity-55')} aria-busy={query.isPlaceholderData}>
          <Outcome
            simulation={query.data}
            askedFor={Math.max(publishTime, days === null ? 0 : openedMs - days * DAY_MS)}
          />
        </div>
      ) : query.isError ? (
        <QueryError query={query} height={CHART_HEIGHT} title={t('strategy.simulator.failed')} />
      ) : (
        <Skeleton height={CHART_HEIGHT} />
      )}
      {isRunning && <PaperButton disabled={isWrong} request={follow} />}
    </div>
  );
}

function Outcome({ simulation, askedFor }: { simulation: Simulation; askedFor: number }) {
  const { t, language } = useI18n();
  const { lists, strategy, endedBy, endedAt, since } = simulation;
  const own = useMemo(() => lists.map(toPoint), [lists]);
  const line = useMemo(() => strategy.map(toPoint), [strategy]);
  const startedLater = since > askedFor + 60_000;
  return (
    <div className="flex flex-col gap-3">
      <YieldChart strategy={line.length > 1 ? line : own} followers={own} other="simulated" />
      <div className="grid gap-x-8 sm:grid-cols-2" data-testid="simulation">
        <KeyValue label={t('strategy.simulator.result')}>
          <Sol value={simulation.equity} /> <Percent value={simulation.changeRate} />
        </KeyValue>
        <KeyValue label={t('strategy.simulator.strategySame')}>
          <Percent value={simulation.strategyChangeRate} />
        </KeyValue>
        <KeyValue label={t('strategy.simulator.drawdown')}>
          <Percent value={simulation.maxDrawdown === null ? null : `-${simulation.maxDrawdown}`} />
        </KeyValue>
        <KeyValue label={t('strategy.simulator.fees')}>
          <Sol value={simulation.networkFees} />
        </KeyValue>
        <KeyValue label={t('strategy.simulator.copies')} className="sm:col-span-2">
          {t('strategy.simulator.copiesText', {
            copied: simulation.copied,
            limited: simulation.limited,
            skipped: simulation.skipped,
          })}
        </KeyValue>
      </div>
      {endedBy !== null && endedAt !== null && (
        <p className="text-sm text-warn">
          {t(`strategy.simulator.endedBy.${endedBy}`, { time: exactTime(endedAt, language) })}
        </p>
      )}
      {simulation.reasons.length > 0 && (
        <div className="text-sm">
          <h3 className="mb-1">{t('strategy.simulator.reasons')}</h3>
          <ul className="flex flex-col gap-1 text-muted">
            {simulation.reasons.map(({ reason, count }) => (
              <li key={reason} className="flex justify-between gap-3">
                <span>{skipText(reason, t)}</span>
                <span className="num">{count}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-xs text-faint">
        {startedLater && `${t('strategy.simulator.startedLater', { time: exactTime(since, language) })} `}
        {t('strategy.simulator.note')}
      </p>
    </div>
  );
}

type PaperRequest = CallRequest<'startPaperFollow'>;

function PaperButton({ request, disabled }: { request: PaperRequest; disabled: boolean }) {
  const t = useT();
  const loggedIn = useLoggedIn();
  const [pending, run] = usePending();
  const start = () =>
    run(async () => {
      await api.call('startPaperFollow', request);
      toast.success(t('strategy.simulator.paperStarted'));
    });
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
      <Button tone="ghost" pending={pending} disabled={disabled || !loggedIn} onClick={() => void start()}>
        {t('strategy.simulator.paper')}
      </Button>
      <span className="text-sm text-muted">
        {t(loggedIn ? 'strategy.simulator.paperText' : 'strategy.simulator.paperLogin')}
      </span>
    </div>
  );
}

function toPoint(point: { t: number; changeRate: string }): LinePoint {
  return { t: point.t, value: Number(point.changeRate) };
}
