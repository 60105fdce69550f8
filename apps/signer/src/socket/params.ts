import type { Owner } from '../keys/sealed-key.ts';
import { SignerError } from '../signer-error.ts';

// The form of what comes through the socket; what it means is decided elsewhere.

export type Params = Record<string, unknown>;

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function owner(params: Params): Owner {
  return { userId: id(params, 'userId'), walletId: id(params, 'walletId') };
}

export function id(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || !ID.test(value)) throw new SignerError('INVALID_PARAMS', `${name} is no id`);
  return value;
}

export function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value.length > 4096) throw new SignerError('INVALID_PARAMS', `${name} is no text`);
  return value;
}

export function password(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value.length === 0 || value.length > 1024) {
    throw new SignerError('INVALID_PARAMS', `${name} is no password`);
  }
  return value;
}

/** A key of the owner's browser: an uncompressed point of P-256. Null where the answer may travel plain. */
export function sealTo(params: Params): string | null {
  const value = params.sealTo;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{87}$/.test(value)) {
    throw new SignerError('INVALID_PARAMS', 'sealTo is no point');
  }
  return value;
}

/** What the owner calls a thing; shown back to him only. */
export function label(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value.length === 0 || value.length > 60) {
    throw new SignerError('INVALID_PARAMS', `${name} is no label`);
  }
  return value;
}
