const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** Decimals that the axis needs to show five significant digits of a price; micro prices need ten and more. */
export function pricePrecision(price: number): number {
  if (!Number.isFinite(price) || price <= 0) return 10;
  return Math.min(16, Math.max(2, 4 - Math.floor(Math.log10(price))));
}

/** 0.000412 as 0.0₃412. Only three zeros and more before a digit are folded; a plain zero stays one. */
export function foldZeros(value: string | number): string {
  return String(value).replace(
    /^(-?)0\.(0{3,})([1-9].*)$/,
    (_, sign: string, zeros: string, rest: string) =>
      `${sign}0.0${String(zeros.length).replace(/\d/g, (digit) => SUBSCRIPTS.charAt(Number(digit)))}${rest}`,
  );
}
