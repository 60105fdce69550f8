import type { CallRequest } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { amountText, boundText, conditionText, kindText } from './trigger-text.ts';
import { isChangeable } from './trigger.ts';
import type { Trigger } from './trigger.ts';
import { useReplaceTrigger } from './use-triggers.ts';

type Level = NonNullable<Trigger['level']>;
type Figures = { level: string; trail: string; amount: string };
type Change = Omit<CallRequest<'editTrigger'>, 'id'>;
const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);

/** Changes level, distance and amount of a trigger that has not fired. `trigger` is as it is now, whoever changed it since. */
export default function EditDialog({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
  const i18n = useI18n();
  const { t } = i18n;
  const replace = useReplaceTrigger();
  const [opened] = useState(() => figuresOf(trigger));
  const [typed, setTyped] = useState<Partial<Figures>>({});
  const current = figuresOf(trigger);
  const { level, trail, amount } = { ...current, ...typed };
  const isOpen = isChangeable(trigger);
  const isChanged = (Object.keys(opened) as (keyof Figures)[]).some((figure) => opened[figure] !== current[figure]);
  const change = isOpen ? changeOf(trigger, { level, trail, amount }) : null;
  const { tokenContractAddress } = trigger;
  const { data } = useApiQuery('tokenPrice', { tokenContractAddress }, { refetchIntervalMs: 15_000, quiet: true });
  const solUsd = data?.solUsd.price ?? null;
  const now = data?.lists.find((each) => each.tokenContractAddress === tokenContractAddress);
  const unit = trigger.level?.unit;
  const info = useApiQuery(
    'getTokenBaseInfo',
    { tokenContractAddress },
    { enabled: unit === 'market-cap', refetchIntervalMs: 15_000 },
  );
  const nowInUnit = unit === 'sol' ? now?.priceSol : unit === 'usd' ? now?.price : info.data?.token.marketCap;
  return (
    <FormDialog
      title={t('triggers.editDialog.title', { name: kindText(trigger, t), symbol: trigger.tokenSymbol })}
      description={`${conditionText(trigger, i18n, solUsd)} · ${amountText(trigger, t)}`}
      submitLabel={t('triggers.editDialog.save')}
      disabled={change === null}
      onSubmit={async () => {
        replace(await api.call('editTrigger', { id: trigger.id, ...change }));
        toast.success(t('triggers.list.changed'));
      }}
      onClose={onClose}
    >
      {(pending) => {
        const field = (label: string, figure: keyof Figures, value: string, unit: string) => (
          <NumberField
            label={label}
            error={isNumber(value) ? null : t('triggers.editDialog.invalid')}
            value={value}
            onValue={(text) => setTyped({ ...typed, [figure]: text })}
            decimals={18}
            disabled={pending || !isOpen}
            after={<span className="text-sm text-muted">{unit}</span>}
          />
        );
        const levelUnit = trigger.level && t(`triggers.units.${trigger.level.unit}`);
        return (
          <>
            {/* While it is saved, the change may be the own one. */}
            {!pending && (!isOpen || isChanged) && (
              <Warning text={t(isOpen ? 'triggers.editDialog.changed' : 'triggers.editDialog.notOpen')} />
            )}
            {levelUnit && field(t('triggers.editDialog.level', { unit: levelUnit }), 'level', level, levelUnit)}
            {trigger.level && nowInUnit && (
              <LevelNow level={trigger.level} typed={level} now={nowInUnit} solUsd={solUsd} />
            )}
            {trigger.trailing && field(t('triggers.editDialog.trail'), 'trail', trail, '%')}
            {trigger.amount && field(t('triggers.editDialog.amount'), 'amount', amount, unitOf(trigger))}
          </>
        );
      }}
    </FormDialog>
  );
}

/** The price beside what was typed, as on the list, and whether the new level would fire at once. */
function LevelNow({ level, typed, now, solUsd }: { level: Level; typed: string; now: string; solUsd: string | null }) {
  const t = useT();
  const { unit, when, value } = level;
  const isPast = isNumber(typed) && compareDecimals(now, typed) !== (when === 'below' ? 1 : -1);
  return (
    <div className="-mt-2.5 flex flex-col gap-1">
      {isNumber(typed) && typed !== value && (
        <KeyValue label={t('triggers.moveDialog.to')}>
          <span className="num">{boundText({ unit, value: typed }, t, solUsd)}</span>
        </KeyValue>
      )}
      <KeyValue label={t('triggers.moveDialog.now')}>
        <span className="num">{boundText({ unit, value: now }, t, solUsd)}</span>
      </KeyValue>
      {isPast && typed !== value && <Warning text={t('triggers.moveDialog.atOnce')} />}
    </div>
  );
}

function figuresOf({ level, trailing, amount }: Trigger): Figures {
  return { level: level?.value ?? '', trail: trailing?.percent ?? '', amount: amount?.value ?? '' };
}

function unitOf({ amount, tokenSymbol }: Trigger): string {
  return amount?.unit === 'sol' ? 'SOL' : amount?.unit === 'tokens' ? tokenSymbol : '%';
}

/** What differs from the trigger as it is; null where nothing does, or something is not a number. */
function changeOf(trigger: Trigger, typed: Figures): Change | null {
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
