import type { CallReply } from '@hunter/contract/calls';
import { lazy, Suspense, useState } from 'react';
import { TradePanel } from '../../features/trade/trade-panel.tsx';
import { useT } from '../../i18n/i18n.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const TriggerForm = lazy(() => import('../../features/trade/trigger-form.tsx'));

const types = ['market', 'limit', 'exit', 'dca'] as const;
type OrderType = (typeof types)[number];

type OrderPanelProps = Omit<Parameters<typeof TradePanel>[0], 'symbol' | 'decimals'> & {
  token: CallReply<'getTokenBaseInfo'>['token'];
  onPlaced: () => void;
};

/** An order now, or one that waits. */
export function OrderPanel({ token, onPlaced, ...panel }: OrderPanelProps) {
  const t = useT();
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
        <TradePanel {...panel} symbol={token.tokenSymbol} decimals={token.decimals} />
      ) : (
        <Suspense fallback={<Spinner height={360} />}>
          <TriggerForm
            address={panel.address}
            symbol={token.tokenSymbol}
            now={{ usd: token.price, sol: token.priceSol, 'market-cap': token.marketCap }}
            type={type}
            side={panel.side}
            onSide={panel.onSide}
            bookId={panel.bookId}
            onBook={panel.onBook}
            onPlaced={onPlaced}
          />
        </Suspense>
      )}
    </>
  );
}
