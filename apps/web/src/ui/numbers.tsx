// Number cells: tabular, never wrapping, "-" for what is not known. Green and red appear for gain and loss only: on
// percentages always, on amounts where `tone` says that the amount is a profit.
import { formatCount } from '@hunter/domain/format/format-count';
import { formatPercent } from '@hunter/domain/format/format-percent';
import { isPriced, priceParts } from '@hunter/domain/format/format-price';
import { formatSol, formatSolChange } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import { usdParts } from '@hunter/domain/format/format-usd';
import type { UsdParts } from '@hunter/domain/format/format-usd';
import { useT } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { toneClass, toneOf } from './tone.ts';

export type NumberValue = string | number | null | undefined;
type NumberProps = { value: NumberValue; className?: string };
type AmountProps = NumberProps & {
  /** Colours the amount and gives a gain its plus sign. */
  tone?: boolean;
};

type FloorProps = {
  /** For what is promised: never shown as more than it is. */
  floor?: boolean;
};

function toned(value: NumberValue, tone: boolean, className: string | undefined): string {
  const found = tone ? toneOf(value) : null;
  return classNames('num', found && toneClass[found], className);
}

export function Usd({ value, className }: NumberProps) {
  return <ZeroRun parts={usdParts(value)} className={classNames('num', className)} />;
}

/** The price of one token, in dollars or in SOL: four significant digits always, where an amount would round them away. */
export function Price({ value, unit = 'usd', className }: NumberProps & { unit?: 'usd' | 'sol' }) {
  const parts = priceParts(value);
  const inSol = unit === 'sol' && isPriced(value);
  const shown: UsdParts = inSol ? { ...parts, prefix: '' } : parts;
  return <ZeroRun parts={shown} after={inSol ? ' SOL' : ''} className={classNames('num', className)} />;
}

function ZeroRun({
  parts: { sign, prefix, head, zeros, tail },
  after = '',
  className,
}: {
  parts: UsdParts;
  after?: string;
  className: string;
}) {
  const t = useT();
  const before = `${sign}${prefix}`;
  if (zeros === null) return <span className={className}>{`${before}${head}${tail}${after}`}</span>;
  // The small figure counts zeros; spoken as part of the number it would be a wrong price.
  const spoken = t('ui.zeroRun', { text: `${before}0.${'0'.repeat(zeros)}${tail}${after}`, zeros });
  return (
    <span className={className} role="img" aria-label={spoken}>
      <span aria-hidden="true">
        {`${before}${head}`}
        <sub>{zeros}</sub>
        {`${tail}${after}`}
      </span>
    </span>
  );
}

export function Sol({ value, tone = false, floor = false, className }: AmountProps & FloorProps) {
  const text = tone ? formatSolChange(value) : formatSol(value, floor ? 'floor' : 'nearest');
  return <span className={toned(value, tone, className)}>{text}</span>;
}

/** A change in percent. `tone={false}` for shares and fees, which are neither gain nor loss. */
export function Percent({ value, tone = true, className }: AmountProps) {
  const text = formatPercent(value);
  // What is shown as 0.00% is neither gain nor loss.
  return (
    <span className={toned(value, tone && text !== '0.00%', className)}>{tone ? text : text.replace(/^\+/, '')}</span>
  );
}

export function Count({ value, className }: NumberProps) {
  return <span className={classNames('num', className)}>{formatCount(value)}</span>;
}

/** A quantity of tokens. */
export function Tokens({ value, floor = false, className }: NumberProps & FloorProps) {
  return <span className={classNames('num', className)}>{formatTokens(value, floor ? 'floor' : 'nearest')}</span>;
}
