import { formatSol } from '@hunter/domain/format/format-sol';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Field } from '../../ui/field.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { chipButton } from '../../ui/price-steps.tsx';
import type { OwnBook } from './own-books.ts';
import { PercentChoice } from './percent-choice.tsx';
import type { PricesNow, TriggerDraft } from './trigger-draft.ts';

export type FieldsProps = {
  draft: TriggerDraft;
  onDraft: (part: Partial<TriggerDraft>) => void;
  side: 'buy' | 'sell';
  book: OwnBook | undefined;
  now: PricesNow;
  buyPresets: readonly string[];
};

const SHARES = ['25', '50', '100'] as const;

export function ShareField({ draft, onDraft }: Pick<FieldsProps, 'draft' | 'onDraft'>) {
  const t = useT();
  return (
    <PercentChoice
      name={t('triggers.fields.sellShare')}
      sign=""
      tone="plain"
      choices={SHARES}
      value={draft.share}
      onValue={(share) => onDraft({ share })}
    />
  );
}

export function SpendField({
  label,
  value,
  onValue,
  book,
  presets,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  book: OwnBook | undefined;
  presets: readonly string[];
}) {
  const t = useT();
  return (
    <Field
      label={label}
      aside={
        <span className="num text-xs text-faint">
          {t('trade.available', { amount: book ? formatSol(book.availableSol) : '-' })}
        </span>
      }
    >
      {(input) => (
        <>
          <NumberInput
            {...input}
            value={value}
            onValue={onValue}
            placeholder="0"
            unit="SOL"
            after={<span className="text-sm text-muted">SOL</span>}
          />
          <div role="group" aria-label={t('trade.presets')} className="grid grid-cols-3 gap-1.5">
            {presets.map((preset, place) => (
              <button
                key={`${place} ${preset}`}
                type="button"
                aria-pressed={value === preset}
                className={`${chipButton} truncate px-1`}
                onClick={() => onValue(preset)}
              >
                {preset}
              </button>
            ))}
          </div>
        </>
      )}
    </Field>
  );
}

export function PriceField({
  label,
  value,
  onValue,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    <NumberField
      label={label}
      size="m"
      value={value}
      onValue={onValue}
      decimals={18}
      unit="USD"
      placeholder="-"
      after={<span className="text-sm text-muted">USD</span>}
    />
  );
}

export function Row({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-3 text-sm">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
