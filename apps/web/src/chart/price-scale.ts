const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const SUFFIXES = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'K'],
] as const;
/** Below this price the run of zeros is what tells prices apart, so it is written as a number. */
const FOLDED_BELOW = 0.001;
const DIGITS = 5;

/** Decimals that the axis needs to show five significant digits of a price; micro prices need ten and more. */
export function pricePrecision(price: number): number {
  if (!Number.isFinite(price) || price <= 0) return 10;
  return Math.min(16, Math.max(2, DIGITS - 1 - Math.floor(Math.log10(price))));
}

/**
 * One number format for all values of an axis, chosen by the price it is about: 41.270M and 1.3500M, 0.0₃4127 and
 * 0.0₂1350. Takes numbers as the chart writes them; what it has shortened already stays.
 */
export function axisFormat(price: number): (value: string | number) => string {
  const suffix = SUFFIXES.find(([least]) => price >= least);
  if (suffix) {
    const unit = suffix[1] === 'K' ? 1e3 : suffix[0];
    const decimals = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(price / unit)));
    return (value) => {
      const number = Number(String(value).replaceAll(',', ''));
      // Values of indicators with a scale of their own, such as the relative strength.
      if (!Number.isFinite(number) || Math.abs(number) < price / 1e3) return String(value);
      return `${(number / unit).toFixed(decimals)}${suffix[1]}`;
    };
  }
  return (value) => foldZeros(value, price < FOLDED_BELOW ? 2 : 3);
}

/** 0.000412 as 0.0₃412. Only so many zeros and more before a digit are folded; a plain zero stays one. */
function foldZeros(value: string | number, least: number): string {
  return String(value).replace(/^(-?)0\.(0{2,})([1-9].*)$/, (text, sign: string, zeros: string, rest: string) =>
    zeros.length < least
      ? text
      : `${sign}0.0${String(zeros.length).replace(/\d/g, (digit) => SUBSCRIPTS.charAt(Number(digit)))}${rest}`,
  );
}

/** Candles on so few bars are drawn smaller than the pane, so that one of them does not look like a crash. */
const FEW_BARS = 20;
/** A pane never shows less than this share of the price: noise would fill it. */
const LEAST_SPAN = 0.002;

/** The lowest and highest value that the pane shows around those of its bars; never zero, which no logarithm knows. */
export function paneRange(low: number, high: number, bars: number): { low: number; high: number } {
  if (bars === 0 || low <= 0) return { low: 1, high: 10 };
  const few = Math.max(0, 1 - bars / FEW_BARS);
  const span = Math.max((high - low) * (1 + 1.5 * few), high * LEAST_SPAN * (1 + 10 * few));
  const middle = (low + high) / 2;
  // A scale that starts below half of the lowest price would waste the pane.
  return { low: Math.max(middle - span / 2, low / 2), high: middle + span / 2 };
}

/** Levels this far beyond the bars still belong into the pane; further ones would leave the candles no room. */
const NEAR = { below: 0.7, above: 1.5 };

export function withLevels(
  range: { low: number; high: number },
  levels: readonly number[],
): { low: number; high: number } {
  const near = levels.filter((level) => level >= range.low * NEAR.below && level <= range.high * NEAR.above);
  return { low: Math.min(range.low, ...near), high: Math.max(range.high, ...near) };
}
