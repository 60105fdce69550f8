import type { CallRequest } from '@hunter/contract/calls';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { amountText, conditionText, kindText } from './trigger-text.ts';
import type { Trigger } from './trigger.ts';
import { useReplaceTrigger } from './use-triggers.ts';

type Change = Omit<CallRequest<'editTrigger'>, 'id'>;
const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);

/** Changes level, distance and amount of a trigger that has not fired. */
export default function EditDialog({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
  const i18n = useI18n();
  const { t } = i18n;
  const replace = useReplaceTrigger();
  const [level, setLevel] = useState(trigger.level?.value ?? '');
  const [trail, setTrail] = useState(trigger.trailing?.percent ?? '');
  const [amount, setAmount] = useState(trigger.amount?.value ?? '');
  const change = changeOf(trigger, { level, trail, amount });
  return (
    <FormDialog
      title={t('triggers.editDialog.title', { name: kindText(trigger, t), symbol: trigger.tokenSymbol })}
      description={`${conditionText(trigger, i18n)} · ${amountText(trigger, t)}`}
      submitLabel={t('triggers.editDialog.save')}
      disabled={change === null}
      onSubmit={async () => {
        replace(await api.call('editTrigger', { id: trigger.id, ...change }));
        toast.success(t('triggers.list.changed'));
      }}
      onClose={onClose}
    >
      {(pending) => {
        const field = (label: string, value: string, onValue: (text: string) => void, unit: string) => (
          <Field label={label} error={isNumber(value) ? null : t('triggers.editDialog.invalid')}>
            {(input) => (
              <NumberInput
                {...input}
                value={value}
                onValue={onValue}
                decimals={18}
                disabled={pending}
                after={<span className="text-sm text-muted">{unit}</span>}
              />
            )}
          </Field>
        );
        const levelUnit = trigger.level && t(`triggers.units.${trigger.level.unit}`);
        return (
          <>
            {levelUnit && field(t('triggers.editDialog.level', { unit: levelUnit }), level, setLevel, levelUnit)}
            {trigger.trailing && field(t('triggers.editDialog.trail'), trail, setTrail, '%')}
            {trigger.amount && field(t('triggers.editDialog.amount'), amount, setAmount, unitOf(trigger))}
          </>
        );
      }}
    </FormDialog>
  );
}

function unitOf({ amount, tokenSymbol }: Trigger): string {
  return amount?.unit === 'sol' ? 'SOL' : amount?.unit === 'tokens' ? tokenSymbol : '%';
}

/** What differs from the trigger as it is; null where nothing does, or something is not a number. */
function changeOf(trigger: Trigger, typed: { level: string; trail: string; amount: string }): Change | null {
  const change: Change = {};
  if (trigger.level && typed.level !== trigger.level.value) {
    if (!isNumber(typed.level)) return null;
    change.level = { unit: trigger.level.unit, value: typed.level };
  }
  if (trigger.trailing && typed.trail !== trigger.trailing.percent) {
    if (!isNumber(typed.trail)) return null;
    change.trailingPercent = typed.trail;
  }
  if (trigger.amount && typed.amount !== (trigger.amount.value ?? '')) {
    if (!isNumber(typed.amount)) return null;
    change.amount = { unit: trigger.amount.unit, value: typed.amount };
  }
  return Object.keys(change).length === 0 ? null : change;
}
