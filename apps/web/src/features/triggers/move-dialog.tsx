import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { isPastLevel, levelAt } from './trigger-lines.ts';
import type { TokenPrices } from './trigger-lines.ts';
import { boundText, kindText } from './trigger-text.ts';
import { isChangeable } from './trigger.ts';
import type { Trigger } from './trigger.ts';
import { useReplaceTrigger } from './use-triggers.ts';

/**
 * A line that was dragged is an order that is not moved yet: from where to where, and whether that fires it. `trigger` is as it
 * is now, whatever happened to it since.
 */
export default function MoveDialog({
  trigger,
  price,
  prices,
  onClose,
}: {
  trigger: Trigger;
  price: { usd: number; sol: number };
  prices: TokenPrices;
  onClose: () => void;
}) {
  const t = useT();
  const replace = useReplaceTrigger();
  const { level } = trigger;
  if (!level) return null;
  const { unit } = level;
  const value = levelAt(price, unit, prices);
  const isOpen = isChangeable(trigger);
  // The line was dragged on a chart that may be in dollars.
  const solUsd = prices.sol > 0 ? (prices.usd / prices.sol).toFixed(6) : null;
  return (
    <ConfirmDialog
      open
      title={t('triggers.moveDialog.title', { name: kindText(trigger, t), symbol: trigger.tokenSymbol })}
      confirmLabel={t('triggers.moveDialog.confirm')}
      disabled={!isOpen}
      onConfirm={async () => {
        replace(await api.call('editTrigger', { id: trigger.id, level: { unit, value } }));
        toast.success(t('triggers.list.changed'));
        onClose();
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1">
        <KeyValue label={t('triggers.moveDialog.from')}>
          <span className="num">{boundText(level, t, solUsd)}</span>
        </KeyValue>
        <KeyValue label={t('triggers.moveDialog.to')}>
          <span className="num font-semibold" data-testid="moved-to">
            {boundText({ unit, value }, t, solUsd)}
          </span>
        </KeyValue>
        <KeyValue label={t('triggers.moveDialog.now')}>
          <span className="num">{boundText({ unit, value: levelAt(prices, unit, prices) }, t, solUsd)}</span>
        </KeyValue>
        {!isOpen && <Warning text={t('triggers.editDialog.notOpen')} />}
        {isOpen && isPastLevel(level, unit, value, prices) && <Warning text={t('triggers.moveDialog.atOnce')} />}
      </div>
    </ConfirmDialog>
  );
}
