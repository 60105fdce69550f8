import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { NumberInput } from '../../ui/number-input.tsx';

/** A percentage by chip or typed; a second click on the chip, or an empty field, takes it away. */
export function PercentChoice({
  name,
  sign,
  tone,
  choices,
  value,
  onValue,
  disabled = false,
}: {
  name: string;
  sign: '−' | '+' | '';
  tone: 'up' | 'down' | 'plain';
  choices: readonly string[];
  value: string;
  onValue: (value: string) => void;
  disabled?: boolean;
}) {
  const t = useT();
  const color = {
    up: 'aria-pressed:border-up aria-pressed:bg-up-soft aria-pressed:text-text',
    down: 'aria-pressed:border-down aria-pressed:bg-down-soft aria-pressed:text-text',
    plain: 'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-text',
  }[tone];
  return (
    <div role="group" aria-label={name}>
      <span className="mb-1 block text-xs text-muted">{name}</span>
      <div className="grid grid-cols-[repeat(3,minmax(0,1fr))_minmax(84px,1.2fr)] gap-1.5">
        {choices.map((percent) => (
          <button
            key={percent}
            type="button"
            disabled={disabled}
            aria-pressed={percent === value}
            className={classNames(
              'num h-8 rounded-lg border border-line bg-surface text-sm font-[550] text-muted hover:not-disabled:border-line-strong hover:not-disabled:text-text disabled:opacity-50 pointer-coarse:h-11',
              color,
            )}
            onClick={() => onValue(percent === value ? '' : percent)}
          >
            {`${sign}${percent}%`}
          </button>
        ))}
        <NumberInput
          size="m"
          value={value}
          onValue={onValue}
          decimals={2}
          disabled={disabled}
          aria-label={t('triggers.fields.custom', { name })}
          placeholder={t('triggers.fields.off')}
          className="h-8! px-2! pointer-coarse:h-11!"
          inputClassName="num text-sm"
          before={sign !== '' && value !== '' && <span className="text-sm text-faint">{sign}</span>}
          after={<span className="text-sm text-faint">%</span>}
        />
      </div>
    </div>
  );
}
