import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { isBuyAmount } from './quick-buy-settings.ts';
import type { QuickBuySettings } from './quick-buy-settings.ts';

/** Before the first quick buy: what a click does, said once. */
export function FirstBuyDialog({
  symbol,
  amount,
  slippageText,
  onConfirm,
  onClose,
}: {
  symbol: string;
  amount: string;
  slippageText: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const t = useT();
  const lines = [
    [t('discover.quickBuy.from'), t('discover.quickBuy.fromValue')],
    [t('discover.quickBuy.amount'), `${amount} SOL`],
    [t('discover.quickBuy.slippage'), `${slippageText}%`],
    [t('discover.quickBuy.fees'), t('discover.quickBuy.feesValue')],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('discover.quickBuy.firstTitle')}
      description={t('discover.quickBuy.firstText')}
      footer={
        <>
          <Button tone="ghost" onClick={onClose}>
            {t('discover.quickBuy.cancel')}
          </Button>
          <Button tone="buy" onClick={onConfirm}>
            {t('discover.quickBuy.confirm')}
          </Button>
        </>
      }
    >
      <p className="mb-3 font-semibold">{t('discover.quickBuy.buy', { symbol, amount })}</p>
      <dl className="flex flex-col gap-2">
        {lines.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-6">
            <dt className="shrink-0 text-muted">{label}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      {isHigh(slippageText) && <p className="mt-3 text-sm text-warn">{t('discover.quickBuy.high')}</p>}
    </Dialog>
  );
}

/** From where on the trade panel warns, too. */
const isHigh = (percent: string) => Number(percent) > 5;

const places = [0, 1, 2] as const;

export function QuickBuySettingsDialog({
  settings,
  slippageBps,
  maxBps,
  onSave,
  onClose,
}: {
  settings: QuickBuySettings;
  /** Null for visitors, whose slippage is kept nowhere. */
  slippageBps: number | null;
  maxBps: number;
  onSave: (amounts: QuickBuySettings['amounts'], slippageBps: number | null) => void;
  onClose: () => void;
}) {
  const t = useT();
  const [amounts, setAmounts] = useState(settings.amounts);
  const [slippage, setSlippage] = useState(slippageBps === null ? '' : String(slippageBps / 100));
  const chosenBps = slippageBps === null ? null : Math.round(Number(slippage) * 100);
  const slippageWrong = chosenBps !== null && (slippage === '' || chosenBps < 1 || chosenBps > maxBps);
  const usable = !slippageWrong && amounts.every(isBuyAmount);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('discover.quickBuy.title')}
      footer={
        <Button disabled={!usable} onClick={() => onSave(amounts, chosenBps)}>
          {t('discover.quickBuy.save')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-3 gap-2">
          {places.map((place) => (
            <NumberField
              key={place}
              label={t('discover.quickBuy.amountOf', { place: place + 1 })}
              error={isBuyAmount(amounts[place]) ? null : t('discover.quickBuy.amountWrong')}
              unit="SOL"
              value={amounts[place]}
              onValue={(text) => setAmounts(replaced(amounts, place, text))}
              after={<span className="text-faint">SOL</span>}
            />
          ))}
        </div>
        {slippageBps !== null && (
          <NumberField
            label={t('discover.quickBuy.slippage')}
            hint={isHigh(slippage) && <span className="text-warn">{t('discover.quickBuy.high')}</span>}
            error={slippageWrong ? t('discover.quickBuy.slippageWrong', { max: maxBps / 100 }) : null}
            decimals={2}
            value={slippage}
            onValue={setSlippage}
            after={<span className="text-faint">%</span>}
          />
        )}
      </div>
    </Dialog>
  );
}

function replaced(amounts: QuickBuySettings['amounts'], place: (typeof places)[number], text: string) {
  const [first, second, third] = amounts;
  return [place === 0 ? text : first, place === 1 ? text : second, place === 2 ? text : third] as const;
}
