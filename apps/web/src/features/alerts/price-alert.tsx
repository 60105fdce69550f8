import { formatPrice } from '@hunter/domain/format/format-price';
import { useState } from 'react';
import { useLivePrice } from '../../data/live-prices.ts';
import { useApiMutation } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { PriceSteps } from '../../ui/price-steps.tsx';
import { toast } from '../../ui/toast-store.ts';
import { directionOf } from './price-direction.ts';
import type { PriceDirection } from './price-direction.ts';

const DECIMALS = 18;
const steps = [
  ['0.75', '−25%'],
  ['0.9', '−10%'],
  ['1.25', '+25%'],
  ['2', '+100%'],
] as const;

/** Asks to be told once when a token reaches a price. */
export default function PriceAlertDialog({
  address,
  symbol,
  price: known,
  onClose,
}: {
  address: string;
  symbol: string;
  price: string | null;
  onClose: () => void;
}) {
  const t = useT();
  const price = useLivePrice(address)?.price ?? known;
  // Settled when it is typed: a price that passes the target a moment before the click must not turn the alert around.
  const [{ target, chosen }, setTarget] = useState<{ target: string; chosen: PriceDirection }>({
    target: '',
    chosen: null,
  });
  const create = useApiMutation('createPriceAlert', { refresh: ['getMyPriceAlerts'] });
  const direction = chosen ?? directionOf(target, price);

  async function submit(): Promise<void> {
    if (direction === null) return;
    try {
      await create.mutateAsync({ tokenContractAddress: address, direction, target });
      toast.success(t('alerts.created'));
      onClose();
    } catch {
      // The reason is shown as a toast.
    }
  }

  const choose = (text: string) => setTarget({ target: text, chosen: directionOf(text, price) });
  const isTyped = /[1-9]/.test(target);
  return (
    <Dialog open onClose={onClose} title={t('alerts.setTitle', { symbol })} description={t('alerts.setText')}>
      <Form className="flex flex-col gap-3" onSubmit={() => void submit()}>
        <KeyValue label={t('alerts.current')}>{formatPrice(price)}</KeyValue>
        <NumberField
          label={t('alerts.target')}
          hint={direction === null ? undefined : t(`alerts.direction.${direction}`, { price: formatPrice(target) })}
          error={isTyped && direction === null ? t('alerts.targetInvalid') : null}
          name="target"
          value={target}
          onValue={choose}
          decimals={DECIMALS}
          unit="USD"
        />
        <PriceSteps label={t('alerts.steps')} price={price} steps={steps} onPrice={choose} />
        <Button type="submit" size="l" pending={create.isPending} disabled={direction === null}>
          {t('alerts.submit')}
        </Button>
      </Form>
    </Dialog>
  );
}
