import { deny } from '../denial.ts';
import type { Assertion } from './passkey.ts';

export type SecondFactor =
  | { kind: 'totp'; code: string }
  | { kind: 'recovery'; code: string }
  | ({ kind: 'passkey'; credentialId: string } & Assertion);

const BYTES_MAX = 4_000;

/** Null where none was sent. */
export function readSecondFactor(value: unknown): SecondFactor | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') deny('POLICY_INVALID', 'factor');
  const factor = value as Record<string, unknown>;
  if (factor.kind === 'totp' || factor.kind === 'recovery') {
    if (typeof factor.code !== 'string' || factor.code.length > 40) deny('POLICY_INVALID', 'factor.code');
    return { kind: factor.kind, code: factor.code };
  }
  if (factor.kind !== 'passkey') return deny('POLICY_INVALID', 'factor.kind');
  return {
    kind: 'passkey',
    credentialId: bytesText(factor, 'credentialId'),
    clientDataJson: bytesText(factor, 'clientDataJson'),
    authenticatorData: bytesText(factor, 'authenticatorData'),
    signature: bytesText(factor, 'signature'),
  };
}

/** Base64url without padding. */
export function bytesText(from: Record<string, unknown>, name: string): string {
  const value = from[name];
  if (typeof value !== 'string' || value.length > BYTES_MAX || !/^[A-Za-z0-9_-]+$/.test(value)) {
    deny('POLICY_INVALID', `${name} is not base64url`);
  }
  return value;
}
