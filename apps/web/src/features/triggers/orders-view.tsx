import { useT } from '../../i18n/i18n.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { CancelAllButton } from './cancel-all.tsx';
import { TriggersTable } from './triggers-table.tsx';
import { useOpenTriggers } from './use-triggers.ts';

export type OrdersViewName = 'open' | 'ended';

/** Open trigger orders and their history, of one token or of all. */
export default function OrdersView({
  view,
  onView,
  token,
}: {
  view: OrdersViewName;
  onView: (view: OrdersViewName) => void;
  token?: { tokenContractAddress: string; tokenSymbol: string };
}) {
  const t = useT();
  const open = useOpenTriggers(token?.tokenContractAddress);
  return (
    <>
      <div className="flex items-center justify-between gap-3 px-4 py-3">
        <SegmentedControl
          label={t('triggers.list.which')}
          value={view}
          onChange={onView}
          options={(['open', 'ended'] as const).map((key) => ({ key, label: t(`triggers.list.${key}`) }))}
        />
        {view === 'open' && open.length > 0 && <CancelAllButton token={token} />}
      </div>
      <TriggersTable state={view} {...(token ? { address: token.tokenContractAddress } : {})} />
    </>
  );
}
