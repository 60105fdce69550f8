import { divideDecimals } from '@hunter/domain/numbers/decimal';
import { useMemo, useState } from 'react';
import { useUser } from '../../data/session.ts';
import { readQuickBuy } from '../../features/discover/quick-buy-settings.ts';
import { durationText, safetyText, type SafetyText } from '../../features/token-overview/safety-text.ts';
import type { TokenInfo } from '../../features/token-overview/use-token-info.ts';
import type { KeptTriggers } from '../../features/trade/kept-triggers.ts';
import { TradePanel } from '../../features/trade/trade-panel.tsx';
import type { OpenExit } from '../../features/trade/trigger-draft.ts';
import { amountText, conditionText, kindText } from '../../features/triggers/trigger-text.ts';
import { useOpenTriggers } from '../../features/triggers/use-triggers.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { browserStorage } from '../../ui/browser-storage.ts';
import { late } from '../../ui/late.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const TriggerForm = late(() => import('../../features/trade/trigger-form.tsx'), { fallback: <Spinner height={360} /> });

const types = ['market', 'limit', 'exit', 'dca'] as const;
type OrderType = (typeof types)[number];

type OrderPanelProps = Omit<Parameters<typeof TradePanel>[0], 'symbol' | 'decimals' | 'buyPresets' | 'warnings'> & {
  info: TokenInfo;
  kept: KeptTriggers;
  onPlaced: () => void;
};

/** From here on somebody who buys is late, and is told. */
const LATE_PERCENT = 200;

function sinceLaunchText({ sinceLaunch, createdAt }: TokenInfo['token'], t: Translate): SafetyText | null {
  if (sinceLaunch === null || Number(sinceLaunch) < LATE_PERCENT) return null;
  const multiple = (Number(sinceLaunch) / 100 + 1).toFixed(1);
  const age = durationText(Date.now() - createdAt, t);
  return { key: 'since-launch', tone: 'warn', title: '', label: '', text: t('token.sinceLaunch', { multiple, age }) };
}

/** What the token itself can do to a buyer, beside what the market does. */
const rules: readonly string[] = ['extensions', 'freeze-authority', 'mint-authority'];

/** Only what leaves a position: a limit order or a schedule that sells is no exit of the form. */
function useOpenExits({ tokenContractAddress, price, priceSol }: TokenInfo['token']): readonly OpenExit[] {
  const i18n = useI18n();
  const triggers = useOpenTriggers(tokenContractAddress);
  const solUsd = Number(priceSol) > 0 ? divideDecimals(price, priceSol, 2, 'nearest') : null;
  return triggers
    .filter(({ kind }) => kind !== 'limit' && kind !== 'dca')
    .map((trigger) => ({
      id: trigger.id,
      bookId: trigger.bookId,
      kind: trigger.kind,
      name: kindText(trigger, i18n.t),
      text: `${conditionText(trigger, i18n, solUsd)} · ${amountText(trigger, i18n.t)}`,
    }));
}

/** An order now, or one that waits. */
export function OrderPanel({ info, kept, onPlaced, ...panel }: OrderPanelProps) {
  const t = useT();
  const { token } = info;
  const warnings = info.safety.badges
    .filter(({ key, level }) => rules.includes(key) && level !== 'ok')
    .flatMap((badge) => safetyText(badge, t, info.safety.transferTax) ?? []);
  const openExits = useOpenExits(token);
  const run = sinceLaunchText(token, t);
  if (run !== null) warnings.push(run);
  const account = useUser((user) => user?.email ?? null);
  const buyPresets = useMemo(() => (account === null ? [] : readQuickBuy(browserStorage, account).amounts), [account]);
  const [type, setType] = useState<OrderType>('market');
  // B and S ask for an order now, wherever the panel was left.
  const [focusBefore, setFocusBefore] = useState(panel.focusRequest);
  if (panel.focusRequest !== focusBefore) {
    setFocusBefore(panel.focusRequest);
    setType('market');
  }
  return (
    <>
      <SegmentedControl
        fill
        label={t('triggers.types.label')}
        value={type}
        onChange={setType}
        className="mb-2.5 [&_label]:px-1!"
        options={types.map((key) => ({ key, label: t(`triggers.types.${key}`) }))}
      />
      {type === 'market' ? (
        <TradePanel
          {...panel}
          buyPresets={buyPresets}
          warnings={warnings}
          symbol={token.tokenSymbol}
          decimals={token.decimals}
        />
      ) : (
        <TriggerForm
          address={panel.address}
          symbol={token.tokenSymbol}
          now={{ usd: token.price, sol: token.priceSol, 'market-cap': token.marketCap }}
          buyPresets={buyPresets}
          type={type}
          side={panel.side}
          onSide={panel.onSide}
          bookId={panel.bookId}
          onBook={panel.onBook}
          kept={kept}
          openExits={openExits}
          onPlanned={panel.onPlanned}
          onPlaced={onPlaced}
        />
      )}
    </>
  );
}
