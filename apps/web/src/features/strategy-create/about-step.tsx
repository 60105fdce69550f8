import { useT } from '../../i18n/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { checkField, lengthBetween, problemText, required } from '../../ui/field-rules.ts';
import { TextField } from '../../ui/fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { DESCRIPTION_LENGTH_MAX, durationProblem, NAME_LENGTH } from './strategy-form.ts';
import type { StrategyForm } from './strategy-form.ts';

type StepProps = {
  form: StrategyForm;
  set: (change: Partial<StrategyForm>) => void;
  /** The step was submitted once, so that its errors may show. */
  checked: boolean;
  nameTaken: boolean;
};

export function AboutStep({ form, set, checked, nameTaken }: StepProps) {
  const t = useT();
  const nameProblem = checkField(form.name, [required, lengthBetween(NAME_LENGTH.min, NAME_LENGTH.max)]);
  const nameError = nameTaken
    ? t('create.errors.nameTaken')
    : checked && nameProblem
      ? problemText(nameProblem, t('create.name'), t)
      : null;
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t('create.name')}
        error={nameError}
        name="name"
        size="l"
        value={form.name}
        maxLength={NAME_LENGTH.max}
        placeholder={t('create.namePlaceholder')}
        autoComplete="off"
        onChange={(event) => set({ name: event.target.value })}
      />
      <Field label={t('create.description')} aside={<span className="text-xs text-faint">{t('create.optional')}</span>}>
        {(input) => (
          <textarea
            {...input}
            name="description"
            rows={3}
            value={form.description}
            maxLength={DESCRIPTION_LENGTH_MAX}
            placeholder={t('create.descriptionPlaceholder')}
            className="w-full resize-y rounded-m border border-line-strong bg-bg px-3 py-2 text-base outline-none placeholder:text-faint focus:border-accent focus:ring-3 focus:ring-accent-soft pointer-coarse:text-[16px]"
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <Lasting form={form} set={set} checked={checked} />
      <Checkbox
        name="autoClear"
        checked={form.autoClear}
        onChecked={(autoClear) => set({ autoClear })}
        label={
          <>
            <span className="font-semibold">{t('create.autoClear')}</span>
            <span className="mt-0.5 block text-sm text-muted">{t('create.autoClearText')}</span>
          </>
        }
      />
    </div>
  );
}

function Lasting({ form, set, checked }: Omit<StepProps, 'nameTaken'>) {
  const t = useT();
  const duration = durationProblem(form);
  return (
    <div className="flex flex-col gap-2">
      <span className="text-sm font-[550] text-muted">{t('create.lasts')}</span>
      <SegmentedControl
        label={t('create.lasts')}
        value={form.lasts}
        onChange={(lasts) => set({ lasts })}
        fill
        options={[
          { key: 'open', label: t('create.openEnded') },
          { key: 'fixed', label: t('create.fixed') },
        ]}
      />
      {form.lasts === 'fixed' && (
        <div className="grid grid-cols-3 gap-2">
          {(['days', 'hours', 'minutes'] as const).map((part) => (
            <NumberInput
              key={part}
              name={part}
              size="m"
              aria-label={t(`create.${part}`)}
              aria-invalid={checked && duration ? true : undefined}
              value={form[part]}
              decimals={0}
              onValue={(text) => set({ [part]: text })}
              after={<span className="text-sm text-muted">{t(`create.${part}`)}</span>}
            />
          ))}
        </div>
      )}
      {checked && duration && (
        <p role="alert" className="text-sm text-down">
          {t(`create.${duration}`)}
        </p>
      )}
    </div>
  );
}
