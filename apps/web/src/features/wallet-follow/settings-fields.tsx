import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberField, TextField } from '../../ui/fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { isMoreWrong, NUMBER_FIELDS, wrongFields, type SettingsText, type WrongField } from './settings-form.ts';

type Props = { value: SettingsText; onValue: (next: SettingsText) => void; disabled: boolean };

/** What of a wallet is copied, how much and within which limits. */
export function SettingsFields({ value, onValue, disabled }: Props) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const set = (change: Partial<SettingsText>) => onValue({ ...value, ...change });
  const wrong = wrongFields(value);
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('walletFollow.size')} error={wrong.has('size') ? t('walletFollow.errors.size') : null}>
          {(input) => (
            <div className="flex flex-col gap-2">
              <SegmentedControl
                label={t('walletFollow.size')}
                value={value.sizeKind}
                onChange={(sizeKind) => set({ sizeKind, size: sizeKind === 'fixed' ? '0.1' : '10' })}
                fill
                options={(['fixed', 'share'] as const).map((key) => ({ key, label: t(`walletFollow.sizes.${key}`) }))}
              />
              <NumberInput
                {...input}
                size="m"
                value={value.size}
                onValue={(size) => set({ size })}
                decimals={value.sizeKind === 'fixed' ? 9 : 2}
                unit={value.sizeKind === 'fixed' ? 'SOL' : undefined}
                disabled={disabled}
                after={<span className="text-muted">{value.sizeKind === 'fixed' ? 'SOL' : '%'}</span>}
              />
            </div>
          )}
        </Field>
        <NumberField
          label={t('walletFollow.maxGap')}
          hint={t('walletFollow.maxGapHint')}
          error={wrong.has('maxGap') ? t('walletFollow.errors.maxGap') : null}
          size="m"
          value={value.maxGap}
          onValue={(maxGap) => set({ maxGap })}
          decimals={2}
          disabled={disabled}
          after={<span className="text-muted">%</span>}
        />
      </div>
      <SegmentedControl
        label={t('walletFollow.copies')}
        value={value.copies}
        onChange={(copies) => set({ copies })}
        fill
        options={(['both', 'buys', 'sells'] as const).map((key) => ({
          key,
          label: t(`walletFollow.copiesOptions.${key}`),
        }))}
      />
      <button
        type="button"
        className="flex items-center justify-between text-sm font-[550] text-accent-text"
        aria-expanded={open}
        onClick={() => setOpen(!open || isMoreWrong(wrong))}
      >
        {t('walletFollow.more')}
        <span aria-hidden="true">{open ? '−' : '+'}</span>
      </button>
      {open && <MoreLimits value={value} set={set} wrong={wrong} disabled={disabled} />}
    </>
  );
}

type MoreProps = {
  value: SettingsText;
  set: (change: Partial<SettingsText>) => void;
  wrong: ReadonlySet<WrongField>;
  disabled: boolean;
};

const numberErrors = {
  buyMin: 'number',
  buyMax: 'buyMax',
  capPerTrade: 'number',
  capPerToken: 'number',
  coinCap: 'coinCap',
} as const;

function MoreLimits({ value, set, wrong, disabled }: MoreProps) {
  const t = useT();
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {NUMBER_FIELDS.map((field) => (
          <NumberField
            key={field}
            label={t(`walletFollow.${field}`)}
            error={wrong.has(field) ? t(`walletFollow.errors.${numberErrors[field]}`) : null}
            size="m"
            value={value[field]}
            onValue={(text) => set({ [field]: text })}
            decimals={field === 'coinCap' ? 2 : 9}
            unit={field === 'coinCap' ? undefined : 'SOL'}
            disabled={disabled}
            placeholder={t('walletFollow.none')}
            after={<span className="text-muted">{field === 'coinCap' ? '%' : 'SOL'}</span>}
          />
        ))}
        <NumberField
          label={t('walletFollow.waitMinutes')}
          hint={t('walletFollow.waitMinutesHint')}
          error={wrong.has('waitMinutes') ? t('walletFollow.errors.waitMinutes') : null}
          size="m"
          value={value.waitMinutes}
          onValue={(waitMinutes) => set({ waitMinutes })}
          decimals={0}
          disabled={disabled}
        />
        <TextField
          label={t('walletFollow.excludedHours')}
          hint={t('walletFollow.excludedHoursHint')}
          error={wrong.has('hours') ? t('walletFollow.errors.hours') : null}
          value={value.excludedHours}
          onChange={(event) => set({ excludedHours: event.target.value })}
          disabled={disabled}
        />
      </div>
      <TextField
        label={t('walletFollow.excludedTokens')}
        hint={t('walletFollow.excludedTokensHint')}
        error={wrong.has('tokens') ? t('walletFollow.errors.tokens') : null}
        value={value.excludedTokens}
        onChange={(event) => set({ excludedTokens: event.target.value })}
        disabled={disabled}
      />
      <Checkbox
        label={t('walletFollow.firstBuyOnly')}
        checked={value.firstBuyOnly}
        onChecked={(firstBuyOnly) => set({ firstBuyOnly })}
        disabled={disabled}
      />
      <Checkbox
        label={t('walletFollow.transfersAreExits')}
        checked={value.transfersAreExits}
        onChecked={(transfersAreExits) => set({ transfersAreExits })}
        disabled={disabled}
      />
    </div>
  );
}
