import { type Address, isAddress } from '@hunter/solana/address';
import { Refusal } from './refusal.ts';

const AMOUNT = /^[0-9]{1,20}$/;
const U64_MAX = 2n ** 64n - 1n;

function invalid(message: string): Refusal {
  return new Refusal('INVALID_REQUEST', message);
}

export function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('Invalid body: an object is needed');
  return value as Record<string, unknown>;
}

export function requireText(value: unknown, name: string, lengthMax = 100): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > lengthMax) throw invalid(`Invalid ${name}`);
  return value;
}

export function requireAddress(value: unknown, name: string): Address {
  if (typeof value !== 'string' || !isAddress(value)) throw invalid(`Invalid ${name}: not a public key`);
  return value;
}

/** Base units as a decimal string, above zero and within 64 bits. */
export function requireAmount(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !AMOUNT.test(value))
    throw invalid(`Invalid ${name}: a whole number of base units is needed`);
  const amount = BigInt(value);
  if (amount <= 0n || amount > U64_MAX) throw invalid(`Invalid ${name}: out of range`);
  return amount;
}

export function optionalSlippage(value: unknown): bigint | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (!/^[0-9]{1,5}$/.test(text) || BigInt(text) > 10_000n) throw invalid('Invalid slippageBps: 0 to 10000');
  return BigInt(text);
}

export function requireBase64(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' || value.length === 0 || value.length > 4_096) throw invalid(`Invalid ${name}`);
  return Buffer.from(value, 'base64');
}

export function requireWhole(value: string | null, name: string, min: number, max: number): number {
  const number = value === null || !/^[0-9]{1,15}$/.test(value) ? Number.NaN : Number(value);
  if (!(number >= min && number <= max)) throw invalid(`Invalid ${name}: ${min} to ${max}`);
  return number;
}
