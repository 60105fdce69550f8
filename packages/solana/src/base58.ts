import { SolanaError } from './solana-error.ts';

// Digits are handled five at a time (58^5 < 2^30) against 16-bit words: each step stays an exact
// double below 2^46, which is several times quicker than one digit and one byte at a time.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS_PER_LIMB = 5;
const LIMB_BASE = 58 ** DIGITS_PER_LIMB;
const POWERS = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4, 58 ** 5];
/** No Solana text in base58 is longer; the conversion is quadratic, so an open length would be a lever. */
const LENGTH_MAX = 2048;

const digitOf = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit += 1) digitOf[ALPHABET.charCodeAt(digit)] = digit;

export function encodeBase58(bytes: Uint8Array): string {
  const length = bytes.length;
  if (length > LENGTH_MAX) throw new SolanaError('BASE58_TOO_LONG', { length });
  let zeros = 0;
  while (zeros < length && bytes[zeros] === 0) zeros += 1;

  const limbs: number[] = [];
  let position = zeros;
  // An odd number of significant bytes starts with a single byte, so that the rest pairs up.
  if ((length - zeros) % 2 === 1) {
    limbs.push(bytes[position]!);
    position += 1;
  }
  for (; position < length; position += 2) {
    let carry = bytes[position]! * 256 + bytes[position + 1]!;
    for (let index = 0; index < limbs.length; index += 1) {
      const value = limbs[index]! * 65_536 + carry;
      carry = Math.floor(value / LIMB_BASE);
      limbs[index] = value - carry * LIMB_BASE;
    }
    if (carry > 0) limbs.push(carry);
  }

  let text = '1'.repeat(zeros);
  for (let index = limbs.length - 1; index >= 0; index -= 1) {
    let limb = limbs[index]!;
    let digits = '';
    for (let digit = 0; digit < DIGITS_PER_LIMB; digit += 1) {
      const quotient = Math.floor(limb / 58);
      digits = ALPHABET[limb - quotient * 58]! + digits;
      limb = quotient;
    }
    if (index === limbs.length - 1) digits = digits.replace(/^1+/, '');
    text += digits;
  }
  return text;
}

export function decodeBase58(text: string): Uint8Array {
  const length = text.length;
  if (length > LENGTH_MAX) throw new SolanaError('BASE58_TOO_LONG', { length });
  let zeros = 0;
  while (zeros < length && text.charCodeAt(zeros) === 49) zeros += 1;

  const words: number[] = [];
  let position = zeros;
  while (position < length) {
    const count = Math.min(DIGITS_PER_LIMB, length - position);
    let carry = 0;
    for (let digit = 0; digit < count; digit += 1, position += 1) {
      const code = text.charCodeAt(position);
      const value = code < 128 ? digitOf[code]! : -1;
      if (value < 0) throw new SolanaError('BASE58_INVALID', { character: text[position]!, position });
      carry = carry * 58 + value;
    }
    const power = POWERS[count]!;
    for (let index = 0; index < words.length; index += 1) {
      const value = words[index]! * power + carry;
      carry = Math.floor(value / 65_536);
      words[index] = value - carry * 65_536;
    }
    while (carry > 0) {
      const rest = Math.floor(carry / 65_536);
      words.push(carry - rest * 65_536);
      carry = rest;
    }
  }

  const top = words.at(-1) ?? 0;
  const significant = words.length * 2 - (words.length > 0 && top < 256 ? 1 : 0);
  const bytes = new Uint8Array(zeros + significant);
  let at = bytes.length - 1;
  for (const word of words) {
    bytes[at] = word & 0xff;
    if (at > zeros) bytes[at - 1] = word >> 8;
    at -= 2;
  }
  return bytes;
}
