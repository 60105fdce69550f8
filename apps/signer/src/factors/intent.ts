import { createHash } from 'node:crypto';

/**
 * What an owner agrees to with one touch of a passkey. `withdrawal` and `export` are about money; the others change or use
 * the factors themselves and name what they are about in `asset` and `id`.
 */
export type Intent = {
  kind:
    | 'withdrawal'
    | 'export'
    | 'login'
    | 'register-passkey'
    | 'enrol'
    | 'remove'
    | 'codes'
    | 'login-rule'
    | 'api-key'
    | 'unfreeze'
    | 'undo-reset';
  /** `SOL` or a mint. */
  asset: string;
  /** Base58; the wallet's own address where nothing leaves it. */
  destination: string;
  /** Base units, decimal. */
  amount: string;
  id: string;
};

/** The browser computes the same. No field holds a line break: all of them are checked before they get here. */
export function intentChallenge({ kind, asset, destination, amount, id }: Intent): Buffer {
  const text = ['hunter-intent-1', kind, asset, destination, amount, id].join('\n');
  return createHash('sha256').update(text, 'utf8').digest();
}
