// Solana writes 64-bit integers as JSON numbers, beyond what a double holds. `JSON.rawJSON` prints them exactly.

type WithRawJson = { rawJSON: (this: void, text: string) => object };

const rawJson = (JSON as unknown as WithRawJson).rawJSON;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

export type JsonNumber = number | object;

export function jsonInteger(value: bigint): JsonNumber {
  return value <= SAFE_MAX && value >= -SAFE_MAX ? Number(value) : rawJson(value.toString());
}

export const U64_MAX_JSON: JsonNumber = rawJson('18446744073709551615');

/** A number that keeps its decimal point, as Rust prints a whole f64. */
export function jsonFloat(value: number): JsonNumber {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? rawJson(value.toFixed(1)) : value;
}
