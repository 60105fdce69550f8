import { useT } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { NumberField, SelectField } from '../../ui/fields.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { PercentChoice } from './percent-choice.tsx';
import { LADDER_STEPS_MAX } from './trigger-draft.ts';
import type { EventKind, LadderStep } from './trigger-draft.ts';
import { PriceField, ShareField, SpendField } from './trigger-inputs.tsx';
import type { FieldsProps } from './trigger-inputs.tsx';

const events = ['creator-sells', 'graduates', 'after-time'] as const satisfies readonly EventKind[];
const periods = ['300', '900', '3600', '14400', '86400'] as const;

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

export function DcaFields({ draft, onDraft, side, book, buyPresets }: FieldsProps) {
  const t = useT();
  return (
    <>
      {side === 'buy' ? (
        <SpendField
          label={t('triggers.fields.each')}
          value={draft.each}
          onValue={(each) => onDraft({ each })}
          book={book}
          presets={buyPresets}
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
