// Whether 32 bytes decompress to a point of Curve25519 in Edwards form, -x² + y² = 1 + d x² y².
// x² = (y² - 1) / (d y² + 1) has a root exactly when u·v is a square for u = y² - 1 and v = d y² + 1,
// and squares are told apart by the Jacobi symbol, which needs no modular power.
const P = (1n << 255n) - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SIGN_CLEARED = (1n << 255n) - 1n;

export function isOnCurve(compressed: Uint8Array): boolean {
  if (compressed.length !== 32) return false;
  const y = littleEndian(compressed) & SIGN_CLEARED;
  const ySquared = (y * y) % P;
  const u = ySquared - 1n;
  const v = D * ySquared + 1n;
  const product = (u * v) % P;
  // u = 0 gives x = 0, a point; v is never zero because -1/d is no square.
  return product === 0n || jacobi(product < 0n ? product + P : product) === 1;
}

function littleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  return (
    view.getBigUint64(0, true) |
    (view.getBigUint64(8, true) << 64n) |
    (view.getBigUint64(16, true) << 128n) |
    (view.getBigUint64(24, true) << 192n)
  );
}

/** The Jacobi symbol (a / P) for 0 < a < P, by reciprocity. */
function jacobi(a: bigint): 1 | -1 | 0 {
  let numerator = a;
  let modulus = P;
  let sign: 1 | -1 = 1;
  while (numerator !== 0n) {
    let zeros = 0;
    for (;;) {
      const low = Number(BigInt.asUintN(31, numerator));
      if (low === 0) {
        numerator >>= 31n;
        zeros += 31;
        continue;
      }
      const trailing = 31 - Math.clz32(low & -low);
      numerator >>= BigInt(trailing);
      zeros += trailing;
      break;
    }
    const modulusLow = Number(BigInt.asUintN(3, modulus));
    if (zeros % 2 === 1 && (modulusLow === 3 || modulusLow === 5)) sign = sign === 1 ? -1 : 1;
    if (Number(BigInt.asUintN(2, numerator)) === 3 && modulusLow % 4 === 3) sign = sign === 1 ? -1 : 1;
    const rest = modulus % numerator;
    modulus = numerator;
    numerator = rest;
  }
  return modulus === 1n ? sign : 0;
}
