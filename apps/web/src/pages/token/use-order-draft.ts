import { useState } from 'react';
import { useKeptTriggers } from '../../features/trade/kept-triggers.ts';
import type { PlannedOrders } from '../../features/trade/planned-lines.ts';
import type { TradeAmounts, TradeSide } from '../../features/trade/trade-panel.tsx';
import { useTradeKeys } from './use-trade-keys.ts';

export type OrderDraft = ReturnType<typeof useOrderDraft>;

/** What is typed into the panel. Of the page, so that it is still there when the sheet or the tab of the panel was left meanwhile. */
export function useOrderDraft() {
  const [trade, setTrade] = useState<{ side: TradeSide; focus: number; isOpen: boolean }>({
    side: 'buy',
    focus: 0,
    isOpen: false,
  });
  const [amounts, onAmounts] = useState<TradeAmounts>({ buy: '', sell: '' });
  const kept = useKeptTriggers();
  const [planned, onPlanned] = useState<PlannedOrders | null>(null);
  const open = (side: TradeSide) => setTrade(({ focus }) => ({ side, focus: focus + 1, isOpen: true }));
  useTradeKeys(open);
  return {
    panel: {
      amounts,
      onAmounts,
      onPlanned,
      kept,
      side: trade.side,
      onSide: (side: TradeSide) => setTrade((before) => ({ ...before, side })),
      focusRequest: trade.focus,
    },
    planned,
    /** What was traded, or the next press would trade as much again; also where the panel is closed by then. */
    clear: (side: TradeSide) => onAmounts((before) => ({ ...before, [side]: '' })),
    /** Of the sheet, where the panel stands in one. */
    isOpen: trade.isOpen,
    open,
    close: () => setTrade((before) => ({ ...before, isOpen: false })),
  };
}
