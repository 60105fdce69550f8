// The signer's own reading of base58, kept apart from the code of those who ask it to sign: a fault there
// must not blind the check here.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Two bytes at a time into limbs of five digits: every step is an exact double, and 64 bytes take microseconds. */
export function toBase58(bytes: Uint8Array): string {
  const base = 58 ** 5;
  const limbs: number[] = [];
  for (let at = bytes.length % 2 === 1 ? -1 : 0; at < bytes.length; at += 2) {
    let carry = (at < 0 ? 0 : bytes[at]! * 256) + bytes[at + 1]!;
    for (let index = 0; index < limbs.length; index += 1) {
      const value = limbs[index]! * 65_536 + carry;
      carry = Math.floor(value / base);
      limbs[index] = value - carry * base;
    }
    if (carry > 0) limbs.push(carry);
  }
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  const digits = new Uint8Array(zeros + limbs.length * 5).fill(49);
  let last = digits.length - 1;
  for (let limb of limbs) {
    for (let digit = 0; digit < 5; digit += 1, last -= 1) {
      const rest = Math.floor(limb / 58);
      digits[last] = ALPHABET.charCodeAt(limb - rest * 58);
      limb = rest;
    }
  }
  // The topmost limb may begin with zeros of its own, which are no leading zero bytes.
  let start = zeros;
  while (start < digits.length && digits[start] === 49) start += 1;
  return Buffer.from(digits.buffer, start - zeros).toString('latin1');
}

/** Null for text that is not base58 of exactly `length` bytes. */
export function fromBase58(text: string, length: number): Buffer | null {
  if (text.length > length * 2) return null;
  const bytes: number[] = [];
  for (const character of text) {
    let carry = ALPHABET.indexOf(character);
    if (carry < 0) return null;
    for (let index = 0; index < bytes.length; index += 1) {
      carry += bytes[index]! * 58;
      bytes[index] = carry & 0xff;
      carry >>= 8;
    }
    while (carry > 0) {
      bytes.push(carry & 0xff);
      carry >>= 8;
    }
  }
  let zeros = 0;
  while (zeros < text.length && text[zeros] === '1') zeros += 1;
  if (zeros + bytes.length !== length) return null;
  return Buffer.from([...Array.from({ length: zeros }, () => 0), ...bytes.reverse()]);
}
