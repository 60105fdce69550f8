// Reads the positional parameters of a call. Kit leaves "finalized" out and may send null for what it does not set.

import { decodeAddress, tryDecodeBase58 } from '../chain/address-text.ts';
import type { Commitment } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { invalidParams, minContextSlotNotReached } from './rpc-error.ts';

export type Config = Record<string, unknown>;

function described(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `string ${JSON.stringify(value.slice(0, 64))}`;
  if (typeof value === 'number')
    return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
}

export function wrongType(value: unknown, expected: string): Error {
  return invalidParams(`Invalid params: invalid type: ${described(value)}, expected ${expected}.`);
}

export function requireCount(params: unknown[], count: number): void {
  if (params.length < count) throw invalidParams(`\`params\` should have at least ${count} argument(s)`);
}

export function stringAt(params: unknown[], index: number): string {
  requireCount(params, index + 1);
  const value = params[index];
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  return value;
}

export function addressOf(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  if (decodeAddress(value) !== null) return value;
  const bytes = value.length > 128 ? null : tryDecodeBase58(value);
  throw invalidParams(bytes === null && value.length <= 128 ? 'Invalid param: Invalid' : 'Invalid param: WrongSize');
}

export function addressAt(params: unknown[], index: number): string {
  requireCount(params, index + 1);
  return addressOf(params[index]);
}

export function signatureOf(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  const bytes = value.length > 128 ? undefined : tryDecodeBase58(value);
  if (bytes === null) throw invalidParams('Invalid param: Invalid');
  if (bytes?.length !== 64) throw invalidParams('Invalid param: WrongSize');
  return value;
}

export function u64Of(value: unknown): number {
  if (typeof value !== 'number') throw wrongType(value, 'u64');
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 64) {
    throw invalidParams(`Invalid params: invalid value: ${described(value)}, expected u64.`);
  }
  return value;
}

export function u64At(params: unknown[], index: number): number {
  requireCount(params, index + 1);
  return u64Of(params[index]);
}

export function configAt(params: unknown[], index: number): Config {
  const value = params[index];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, 'struct');
  return value as Config;
}

export function booleanIn(config: Config, name: string): boolean {
  const value = config[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw wrongType(value, 'a boolean');
  return value;
}

export function optionalU64In(config: Config, name: string): number | null {
  const value = config[name];
  return value === undefined || value === null ? null : u64Of(value);
}

export function commitmentIn(config: Config, name = 'commitment'): Commitment {
  const value = config[name];
  if (value === undefined || value === null) return 'finalized';
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value;
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  throw invalidParams(
    `Invalid params: unknown variant \`${value.slice(0, 64)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
  );
}

/** The commitment of a read, once the node has reached the slot the caller has already seen. */
export function readCommitment(chain: LedgerChain, config: Config, name?: string): Commitment {
  const commitment = commitmentIn(config, name);
  const minimum = optionalU64In(config, 'minContextSlot');
  if (minimum !== null) {
    const slot = Number(chain.slot(commitment));
    if (slot < minimum) throw minContextSlotNotReached(slot);
  }
  return commitment;
}

export function oneOf<Name extends string>(value: unknown, names: readonly Name[], fallback: Name): Name {
  if (value === undefined || value === null) return fallback;
  const known = names.find((name) => name === value);
  if (known !== undefined) return known;
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  const list = names.map((name) => `\`${name}\``).join(', ');
  throw invalidParams(`Invalid params: unknown variant \`${value.slice(0, 64)}\`, expected one of ${list}.`);
}

export const API_VERSION = '3.0.0';

export function withContext(chain: LedgerChain, commitment: Commitment, value: unknown): object {
  return { context: { apiVersion: API_VERSION, slot: Number(chain.slot(commitment)) }, value };
}

/** One RPC method. It may answer at once or later; what it throws becomes the error of the response. */
export type Method = (chain: LedgerChain, params: unknown[]) => unknown;
