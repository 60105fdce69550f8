import { useT } from '../../i18n/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { fiveDigits, PriceSteps } from '../../ui/price-steps.tsx';
import { Select } from '../../ui/select.tsx';
import { ProtectFields } from './protect-fields.tsx';
import type { Expiry, PriceUnit } from './trigger-draft.ts';
import { Row, ShareField, SpendField } from './trigger-inputs.tsx';
import type { FieldsProps } from './trigger-inputs.tsx';

const priceUnits = ['usd', 'sol', 'market-cap'] as const satisfies readonly PriceUnit[];
const expiries = ['day', 'week', 'month', 'never'] as const satisfies readonly Expiry[];
const priceSteps = {
  buy: [
    ['0.95', '−5%'],
    ['0.9', '−10%'],
    ['0.8', '−20%'],
    ['0.5', '−50%'],
  ],
  sell: [
    ['1.25', '+25%'],
    ['1.5', '+50%'],
    ['2', '+100%'],
    ['3', '+200%'],
  ],
} as const;

export function LimitFields({ draft, onDraft, side, book, now, buyPresets }: FieldsProps) {
  const t = useT();
  return (
    <>
      <LimitPrice draft={draft} onDraft={onDraft} side={side} now={now} />
      {side === 'buy' ? (
        <SpendField
          label={t('triggers.fields.spend')}
          value={draft.spend}
          onValue={(spend) => onDraft({ spend })}
          book={book}
          presets={buyPresets}
        />
      ) : (
        <ShareField draft={draft} onDraft={onDraft} />
      )}
      <Row label={t('triggers.fields.expires')}>
        {(id) => (
          <Select
            id={id}
            value={draft.expiry}
            onValue={(expiry) => onDraft({ expiry })}
            options={expiries.map((key) => ({ key, label: t(`triggers.expiries.${key}`) }))}
          />
        )}
      </Row>
      {side === 'buy' && (
        <>
          <Checkbox
            checked={draft.hold}
            onChecked={(hold) => onDraft({ hold })}
            label={
              <span className="text-sm">
                {t('triggers.fields.hold')}
                <span className="block text-xs text-faint">{t('triggers.fields.holdText')}</span>
              </span>
            }
          />
          <div className="-mt-3">
            <ProtectFields choice={draft.protect} onChoice={(protect) => onDraft({ protect })} disabled={false} />
          </div>
        </>
      )}
    </>
  );
}

function LimitPrice({ draft, onDraft, side, now }: Omit<FieldsProps, 'book' | 'buyPresets'>) {
  const t = useT();
  const price = now[draft.unit];
  return (
    <>
      <Field label={t('triggers.fields.price')}>
        {(input) => (
          <div className="flex gap-1.5">
            <NumberInput
              {...input}
              value={draft.price}
              onValue={(text) => onDraft({ price: text })}
              decimals={18}
              unit={draft.unit === 'sol' ? 'SOL' : 'USD'}
              placeholder={price === null ? '0' : fiveDigits(price)}
              inputClassName="num text-lg font-semibold"
            />
            <Select
              aria-label={t('triggers.fields.unit')}
              value={draft.unit}
              onValue={(unit) => onDraft({ unit, price: '' })}
              options={priceUnits.map((key) => ({ key, label: t(`triggers.units.${key}`) }))}
              className="shrink-0 [&_select]:h-11"
            />
          </div>
        )}
      </Field>
      <PriceSteps
        label={t('triggers.fields.pricePresets')}
        price={price}
        steps={priceSteps[side]}
        onPrice={(text) => onDraft({ price: text })}
      />
    </>
  );
}
