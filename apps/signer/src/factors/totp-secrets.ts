import { randomBytes } from 'node:crypto';
import { deny } from '../denial.ts';
import type { TotpFactor } from './factor-register.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { acceptTotp, toBase32 } from './totp.ts';

const SECRET_BYTES = 20;
type Sealed = Pick<TotpFactor, 'keyId' | 'sealed'>;

/** Secrets of authenticator apps, sealed for one wallet under the key provider and opened for one comparison. */
export class TotpSecrets {
  readonly #keys: KeyProvider;
  readonly #environment: string;

  constructor(keys: KeyProvider, environment: string) {
    this.#keys = keys;
    this.#environment = environment;
  }

  create(address: string): Sealed & { text: string } {
    const secret = randomBytes(SECRET_BYTES);
    const { keyId, wrapped } = this.#keys.wrap(secret, (id) => this.#aad(address, id));
    const text = toBase32(secret);
    secret.fill(0);
    return { keyId, sealed: wrapped.toString('base64'), text };
  }

  /** The step that the code is of; null where it is wrong or used. */
  accept(address: string, totp: Sealed & { lastStep: number }, code: string, now: number): number | null {
    const wrapped = Buffer.from(totp.sealed, 'base64');
    const secret = this.#keys.unwrap(totp.keyId, wrapped, this.#aad(address, totp.keyId));
    if (secret === null) deny('ENVELOPE_INVALID', 'the secret of the authenticator app does not open');
    return secret.consume((bytes) => acceptTotp(bytes, code, now, totp.lastStep));
  }

  /** After a rotation, so that no secret holds the old key back. */
  rewrap(address: string, totp: TotpFactor): TotpFactor {
    const done = this.#keys.rewrap(totp.keyId, Buffer.from(totp.sealed, 'base64'), (id) => this.#aad(address, id));
    if (done === null) deny('ENVELOPE_INVALID', 'the secret of the authenticator app does not open');
    const opened = this.#keys.unwrap(done.keyId, done.wrapped, this.#aad(address, done.keyId));
    if (opened === null) deny('ENVELOPE_INVALID', 'the rewrapped secret of the authenticator app does not open');
    opened.wipe();
    return { ...totp, keyId: done.keyId, sealed: done.wrapped.toString('base64') };
  }

  #aad(address: string, keyId: string): Buffer {
    return Buffer.from(['totp.1', this.#environment, address, keyId].join('|'), 'utf8');
  }
}
