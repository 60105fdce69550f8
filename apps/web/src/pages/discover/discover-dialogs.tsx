import type { Filter } from '../../features/discover/discover-search.ts';
import { withSaved } from '../../features/discover/presets.ts';
import type { SavedFilter } from '../../features/discover/presets.ts';
import type { useQuickBuy } from '../../features/discover/use-quick-buy.ts';
import type { useSlippage } from '../../features/trade/use-slippage.ts';
import { late } from '../../ui/late.tsx';

const FilterDialog = late(() => import('../../features/discover/filter-dialog.tsx'));
const loadQuickBuy = () => import('../../features/discover/quick-buy-dialogs.tsx');
const FirstBuyDialog = late(async () => ({ default: (await loadQuickBuy()).FirstBuyDialog }));
const QuickBuySettingsDialog = late(async () => ({ default: (await loadQuickBuy()).QuickBuySettingsDialog }));

export type OpenDialog = 'filter' | 'quick-buy' | null;

/** All of them load when they are first opened. */
export function DiscoverDialogs({
  open,
  onClose,
  filter,
  onFilter,
  saved,
  onSaved,
  quickBuy,
  slippage,
  slippageText,
}: {
  open: OpenDialog;
  onClose: () => void;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  saved: readonly SavedFilter[];
  onSaved: (saved: SavedFilter[]) => void;
  quickBuy: ReturnType<typeof useQuickBuy>;
  /** Null for visitors. */
  slippage: ReturnType<typeof useSlippage> | null;
  slippageText: string;
}) {
  const { settings, first } = quickBuy;
  return (
    <>
      {open === 'filter' && (
        <FilterDialog
          filter={filter}
          saved={saved}
          onApply={(next) => {
            onFilter(next);
            onClose();
          }}
          onSave={(name, next) => onSaved(withSaved(saved, name, next))}
          onForget={(name) => onSaved(saved.filter((each) => each.name !== name))}
          onClose={onClose}
        />
      )}
      {open === 'quick-buy' && (
        <QuickBuySettingsDialog
          settings={settings}
          slippageBps={slippage?.bps ?? null}
          maxBps={slippage?.maxBps ?? 0}
          onSave={(amounts, bps) => {
            quickBuy.change({ ...settings, amounts });
            if (slippage && bps !== null && bps !== slippage.bps) void slippage.save(bps).catch(() => {});
            onClose();
          }}
          onClose={onClose}
        />
      )}
      {first && (
        <FirstBuyDialog
          symbol={first.token.tokenSymbol}
          amount={first.amount}
          slippageText={slippageText}
          onConfirm={quickBuy.confirmFirst}
          onClose={quickBuy.dismissFirst}
        />
      )}
    </>
  );
}
