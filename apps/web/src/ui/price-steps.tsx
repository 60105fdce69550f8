import { multiplyDecimals } from '@hunter/domain/numbers/decimal';

const DECIMALS = 18;

export const chipButton =
  'num h-8 rounded-lg border border-line text-sm font-[550] text-muted hover:not-disabled:border-line-strong hover:not-disabled:text-text disabled:opacity-50 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-text pointer-coarse:h-11';

/** Prices so far from the one now, each on a button. */
export function PriceSteps({
  label,
  price,
  steps,
  onPrice,
}: {
  label: string;
  /** Null while it is not known. */
  price: string | null;
  /** How far from the price now, as factors; written as percentages. */
  steps: readonly (readonly [factor: string, percent: string])[];
  onPrice: (price: string) => void;
}) {
  return (
    <div role="group" aria-label={label} className="-mt-1.5 grid grid-cols-4 gap-1.5">
      {steps.map(([factor, percent]) => (
        <button
          key={factor}
          type="button"
          disabled={price === null}
          className={chipButton}
          onClick={() => price !== null && onPrice(fiveDigits(multiplyDecimals(price, factor, DECIMALS, 'nearest')))}
        >
          {percent}
        </button>
      ))}
    </div>
  );
}

/** A price that nobody would type with eighteen decimals. */
export function fiveDigits(price: string): string {
  const match = /^(0\.0*)?(\d{1,5})(\d*)(\.\d+)?/.exec(price);
  if (!match) return price;
  if (match[1] !== undefined) return `${match[1]}${match[2]}`.replace(/0+$/, '');
  const [whole = '', fraction = ''] = price.split('.');
  return fraction === '' || whole.length >= 5
    ? whole
    : `${whole}.${fraction.slice(0, 5 - whole.length)}`.replace(/\.?0+$/, '');
}
