import { useT } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberField, SelectField } from '../../ui/fields.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Select } from '../../ui/select.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { fiveDigits, PriceSteps } from '../../ui/price-steps.tsx';
import type { OwnBook } from './own-books.ts';
import { PercentChoice } from './percent-choice.tsx';
import { ProtectFields } from './protect-fields.tsx';
import { LADDER_STEPS_MAX } from './trigger-draft.ts';
import type { EventKind, Expiry, LadderStep, PricesNow, PriceUnit, TriggerDraft } from './trigger-draft.ts';
import { PriceField, Row, ShareField, SpendField } from './trigger-inputs.tsx';

type FieldsProps = {
  draft: TriggerDraft;
  onDraft: (part: Partial<TriggerDraft>) => void;
  side: 'buy' | 'sell';
  book: OwnBook | undefined;
  now: PricesNow;
};

const priceUnits = ['usd', 'sol', 'market-cap'] as const satisfies readonly PriceUnit[];
const expiries = ['day', 'week', 'month', 'never'] as const satisfies readonly Expiry[];
const events = ['creator-sells', 'graduates', 'after-time'] as const satisfies readonly EventKind[];
const periods = ['300', '900', '3600', '14400', '86400'] as const;
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

export function LimitFields({ draft, onDraft, side, book, now }: FieldsProps) {
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
      {side === 'buy' ? (
        <SpendField
          label={t('triggers.fields.spend')}
          value={draft.spend}
          onValue={(spend) => onDraft({ spend })}
          book={book}
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

export function ExitFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  return (
    <>
      <PercentChoice
        name={t('triggers.fields.stop')}
        sign="−"
        tone="down"
        choices={['10', '25', '50']}
        value={draft.stop}
        onValue={(stop) => onDraft({ stop })}
      />
      <PercentChoice
        name={t('triggers.fields.target')}
        sign="+"
        tone="up"
        choices={['50', '100', '300']}
        value={draft.target}
        onValue={(target) => onDraft({ target })}
      />
      <ShareField draft={draft} onDraft={onDraft} />
    </>
  );
}

export function TrailingFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  return (
    <>
      <PercentChoice
        name={t('triggers.fields.trail')}
        sign="−"
        tone="down"
        choices={['10', '20', '30']}
        value={draft.trail}
        onValue={(trail) => onDraft({ trail })}
      />
      <PriceField
        label={t('triggers.fields.activation')}
        value={draft.activation}
        onValue={(activation) => onDraft({ activation })}
      />
      <ShareField draft={draft} onDraft={onDraft} />
    </>
  );
}

export function LadderFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  const { steps } = draft;
  const set = (at: number, part: Partial<LadderStep>) =>
    onDraft({ steps: steps.map((step, index) => (index === at ? { ...step, ...part } : step)) });
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <div className="grid grid-cols-[1fr_1fr_34px] gap-1.5 text-xs text-muted" aria-hidden="true">
          <span>{t('triggers.fields.gain')}</span>
          <span>{t('triggers.fields.share')}</span>
        </div>
        {steps.map((step, at) => (
          // Steps have no name of their own; their place is what they are.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={at} className="grid grid-cols-[1fr_1fr_34px] items-center gap-1.5">
            <NumberInput
              size="m"
              aria-label={`${t('triggers.fields.gain')} ${at + 1}`}
              value={step.gain}
              onValue={(gain) => set(at, { gain })}
              decimals={2}
              inputClassName="num text-up"
              before={<span className="text-sm text-faint">+</span>}
              after={<span className="text-sm text-faint">%</span>}
            />
            <NumberInput
              size="m"
              aria-label={`${t('triggers.fields.share')} ${at + 1}`}
              value={step.share}
              onValue={(share) => set(at, { share })}
              decimals={2}
              after={<span className="text-sm text-faint">%</span>}
            />
            <IconButton
              label={t('triggers.fields.removeStep', { number: at + 1 })}
              disabled={steps.length === 1}
              onClick={() => onDraft({ steps: steps.filter((_, index) => index !== at) })}
            >
              <CloseIcon size={14} />
            </IconButton>
          </div>
        ))}
        <button
          type="button"
          disabled={steps.length >= LADDER_STEPS_MAX}
          className="self-start text-sm font-[550] text-accent-text disabled:opacity-50 pointer-coarse:min-h-11"
          onClick={() => onDraft({ steps: [...steps, { gain: '', share: '' }] })}
        >
          {`+ ${t('triggers.fields.addStep')}`}
        </button>
      </div>
      <PercentChoice
        name={t('triggers.fields.stop')}
        sign="−"
        tone="down"
        choices={['10', '25', '50']}
        value={draft.ladderStop}
        onValue={(ladderStop) => onDraft({ ladderStop })}
      />
    </>
  );
}

export function EventFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  return (
    <>
      <SelectField
        label={t('triggers.fields.event')}
        value={draft.event}
        onValue={(event) => onDraft({ event })}
        options={events.map((key) => ({ key, label: t(`triggers.events.${key}`) }))}
        className="w-full"
      />
      {draft.event === 'after-time' && (
        <NumberField
          label={t('triggers.fields.hours')}
          size="m"
          value={draft.hours}
          onValue={(hours) => onDraft({ hours })}
          decimals={0}
        />
      )}
    </>
  );
}

export function DcaFields({ draft, onDraft, side, book }: FieldsProps) {
  const t = useT();
  return (
    <>
      {side === 'buy' ? (
        <SpendField
          label={t('triggers.fields.each')}
          value={draft.each}
          onValue={(each) => onDraft({ each })}
          book={book}
        />
      ) : (
        <PercentChoice
          name={t('triggers.fields.eachSale')}
          sign=""
          tone="plain"
          choices={['5', '10', '25']}
          value={draft.eachShare}
          onValue={(eachShare) => onDraft({ eachShare })}
        />
      )}
      <div className="grid grid-cols-2 gap-2">
        <SelectField
          label={t('triggers.fields.every')}
          value={draft.everySeconds}
          onValue={(everySeconds) => onDraft({ everySeconds })}
          options={periods.map((key) => ({ key: key as string, label: t(`triggers.periods.${key}`) }))}
          className="w-full [&_select]:h-[38px]"
        />
        <NumberField
          label={t('triggers.fields.count')}
          size="m"
          value={draft.count}
          onValue={(count) => onDraft({ count })}
          decimals={0}
        />
      </div>
      <PriceField
        label={t(side === 'buy' ? 'triggers.fields.buyBelow' : 'triggers.fields.sellAbove')}
        value={draft.bound}
        onValue={(bound) => onDraft({ bound })}
      />
    </>
  );
}
