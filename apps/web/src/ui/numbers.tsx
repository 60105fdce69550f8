// Number cells: tabular, never wrapping, "-" for what is not known. Green and red appear for gain and loss only: on
// percentages always, on amounts where `tone` says that the amount is a profit.
import { formatCount } from '@hunter/domain/format-count';
import { formatPercent } from '@hunter/domain/format-percent';
import { formatSol } from '@hunter/domain/format-sol';
import { usdParts } from '@hunter/domain/format-usd';
import { useT } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { toneClass, toneOf } from './tone.ts';

export type NumberValue = string | number | null | undefined;
type NumberProps = { value: NumberValue; className?: string };
type AmountProps = NumberProps & {
  /** Colours the amount and gives a gain its plus sign. */
  tone?: boolean;
};

function toned(value: NumberValue, tone: boolean, className: string | undefined): string {
  const found = tone ? toneOf(value) : null;
  return classNames('num', found && toneClass[found], className);
}

export function Usd({ value, tone = false, className }: AmountProps) {
  const t = useT();
  const { sign, prefix, head, zeros, tail } = usdParts(value);
  const plus = tone && toneOf(value) === 'up' ? '+' : sign;
  if (zeros === null) {
    return <span className={toned(value, tone, className)}>{`${plus}${prefix}${head}${tail}`}</span>;
  }
  // The small figure counts zeros; spoken as part of the number it would be a wrong price.
  const spoken = t('common.zeroRun', { text: `${plus}${prefix}0.${'0'.repeat(zeros)}${tail}`, zeros });
  return (
    <span className={toned(value, tone, className)} role="img" aria-label={spoken}>
      <span aria-hidden="true">
        {`${plus}${prefix}${head}`}
        <sub>{zeros}</sub>
        {tail}
      </span>
    </span>
  );
}

export function Sol({ value, tone = false, className }: AmountProps) {
  const plus = tone && toneOf(value) === 'up' ? '+' : '';
  return <span className={toned(value, tone, className)}>{`${plus}${formatSol(value)}`}</span>;
}

/** A change in percent. `tone={false}` for shares and fees, which are neither gain nor loss. */
export function Percent({ value, tone = true, className }: AmountProps) {
  const text = formatPercent(value);
  return <span className={toned(value, tone, className)}>{tone ? text : text.replace(/^\+/, '')}</span>;
}

export function Count({ value, className }: NumberProps) {
  return <span className={classNames('num', className)}>{formatCount(value)}</span>;
}
