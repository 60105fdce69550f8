/** Base58 text of 32 bytes. The checked doors to the type are `isAddress()` and, of `@hunter/solana/address`, `address()` and `addressFromBytes()`. */
export type Address = string & { readonly brand: 'Address' };

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const WRITTEN = /^(?=.{32,44}$)(1*)([1-9A-HJ-NP-Za-km-z]*)$/;
/** So many digits are an exact double: 58^9 < 2^53. */
const DIGITS_AT_ONCE = 9;

/** The right letters and a likely length are not enough: the text must stand for 32 bytes, of which each leading 1 is one. */
export function isAddress(text: string): text is Address {
  const [, zeros, digits] = WRITTEN.exec(text) ?? [];
  if (zeros === undefined || digits === undefined) return false;
  let value = 0n;
  for (let start = 0; start < digits.length; start += DIGITS_AT_ONCE) {
    const some = digits.slice(start, start + DIGITS_AT_ONCE);
    let part = 0;
    for (const digit of some) part = part * 58 + DIGITS.indexOf(digit);
    value = value * BigInt(58 ** some.length) + BigInt(part);
  }
  const bits = BigInt(32 - zeros.length) * 8n;
  return bits === 0n ? value === 0n : value >> (bits - 8n) > 0n && value >> bits === 0n;
}
