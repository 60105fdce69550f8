import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { formatPercent } from '@hunter/domain/format/format-percent';
import { useMemo, useState } from 'react';
import { api } from '../../data/api.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { QueryError } from '../../ui/error-state.tsx';
import { CHART_HEIGHT, LineChart } from '../../ui/line-chart.tsx';
import type { LinePoint } from '../../ui/line-scale.ts';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolAmountField } from '../../ui/sol-amount-field.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { toneOf } from '../../ui/tone.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { usePending } from '../../ui/use-pending.ts';
import { DEFAULT_TEXT, requestOf, wrongFields } from './settings-form.ts';
import { SettingsFields } from './settings-fields.tsx';
import { walletSkipText } from './wallet-skip-text.ts';

type Simulation = CallReply<'simulateWalletFollow'>;
const spans = { '30d': 30, '7d': 7, '24h': 1 } as const;
type Span = keyof typeof spans;
const DAY_MS = 86_400_000;
const DEBOUNCE_MS = 400;

/** What following this wallet would have become. */
export default function WalletSimulator({ address }: { address: string }) {
  const t = useT();
  const [text, setText] = useState('1');
  const [span, setSpan] = useState<Span>('7d');
  const [settings, setSettings] = useState(DEFAULT_TEXT);
  const [openedMs] = useState(() => Date.now());
  const problem = amountProblem(text, null);
  const isWrong = problem !== null || wrongFields(settings).size > 0;
  const request = {
    address,
    amount: tidyAmount(text),
    since: openedMs - spans[span] * DAY_MS,
    settings: requestOf(settings),
  };
  const rested = useDebounced(isWrong ? null : JSON.stringify(request), DEBOUNCE_MS);
  const query = useApiQuery('simulateWalletFollow', rested === null ? request : JSON.parse(rested), {
    enabled: rested !== null,
    keepPrevious: true,
  });
  return (
    <div className="mt-4 flex flex-col gap-4">
      <div className="grid gap-3 md:grid-cols-[minmax(0,160px)_minmax(0,1fr)] md:items-end">
        <SolAmountField
          label={t('walletFollow.amount')}
          error={problem === null ? null : t(`strategy.follow.errors.${problem}`)}
          value={text}
          onValue={setText}
        />
        <SegmentedControl
          label={t('walletFollow.simulator.since')}
          value={span}
          onChange={setSpan}
          options={(Object.keys(spans) as Span[]).map((key) => ({
            key,
            label: t(`walletFollow.simulator.spans.${key}`),
          }))}
          className="md:justify-self-end"
        />
      </div>
      <SettingsFields value={settings} onValue={setSettings} disabled={false} />
      {query.data ? (
        <div className={classNames(query.isPlaceholderData && 'opacity-55')} aria-busy={query.isPlaceholderData}>
          <Outcome simulation={query.data} />
        </div>
      ) : query.isError ? (
        <QueryError query={query} height={CHART_HEIGHT} title={t('walletFollow.simulator.failed')} />
      ) : (
        <Skeleton height={CHART_HEIGHT} />
      )}
      <PaperButton disabled={isWrong} address={address} amount={request.amount} settings={request.settings} />
    </div>
  );
}

type PaperRequest = Omit<CallRequest<'startPaperWalletFollow'>, 'name'>;

/** The same from now on. */
function PaperButton({ disabled, ...request }: PaperRequest & { disabled: boolean }) {
  const t = useT();
  const loggedIn = useLoggedIn();
  const [pending, run] = usePending();
  const start = () =>
    run(async () => {
      await api.call('startPaperWalletFollow', { ...request, name: shortAddress(request.address) });
      toast.success(t('walletFollow.simulator.paperStarted'));
    });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button tone="ghost" pending={pending} disabled={disabled || !loggedIn} onClick={() => void start()}>
        {t('walletFollow.simulator.paper')}
      </Button>
      <p className="text-sm text-muted">
        {t(loggedIn ? 'walletFollow.simulator.paperText' : 'walletFollow.simulator.paperLogin')}
      </p>
    </div>
  );
}

function Outcome({ simulation }: { simulation: Simulation }) {
  const { t, language } = useI18n();
  const { lists, wallet } = simulation;
  const own = useMemo(() => lists.map(toPoint), [lists]);
  const theirs = useMemo(() => wallet.map(toPoint), [wallet]);
  const names = { own: t('walletFollow.simulator.own'), wallet: t('walletFollow.simulator.wallet') };
  return (
    <div className="flex flex-col gap-3">
      <LineChart
        points={own}
        second={theirs}
        label={t('walletFollow.simulator.chart')}
        tone={toneOf(own.at(-1)?.value)}
        axisText={(tick) => `${Number(tick) > 0 ? '+' : ''}${tick}%`}
        spoken={(point, other) =>
          `${exactTime(point.t, language)}: ${names.own} ${formatPercent(point.value)}${other === null ? '' : `, ${names.wallet} ${formatPercent(other)}`}`
        }
        rows={(point, other) => [
          { label: names.own, text: formatPercent(point.value), tone: toneOf(point.value) },
          ...(other === null ? [] : [{ label: names.wallet, text: formatPercent(other), tone: toneOf(other) }]),
        ]}
        testId="wallet-simulation-chart"
      />
      <div className="grid gap-x-8 sm:grid-cols-2" data-testid="wallet-simulation">
        <KeyValue label={t('walletFollow.simulator.result')}>
          <Sol value={simulation.equity} /> <Percent value={simulation.changeRate} />
        </KeyValue>
        <KeyValue label={t('walletFollow.simulator.walletSame')}>
          <Percent value={simulation.walletChangeRate} />
        </KeyValue>
        <KeyValue label={t('walletFollow.simulator.fees')}>
          <Sol value={simulation.networkFees} />
        </KeyValue>
        <KeyValue label={t('walletFollow.simulator.copies')}>
          {t('walletFollow.simulator.copiesText', {
            trades: simulation.trades,
            copied: simulation.copied,
            skipped: simulation.skipped,
          })}
        </KeyValue>
      </div>
      {simulation.reasons.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm text-muted">
          {simulation.reasons.map(({ reason, count }) => (
            <li key={reason} className="flex justify-between gap-3">
              <span>{walletSkipText(reason, t)}</span>
              <span className="num">{count}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-xs text-faint">
        {t('walletFollow.simulator.note', {
          time: exactTime(simulation.since, language),
          seconds: simulation.delayMs / 1000,
        })}
      </p>
    </div>
  );
}

function toPoint(point: { t: number; changeRate: string }): LinePoint {
  return { t: point.t, value: Number(point.changeRate) };
}
