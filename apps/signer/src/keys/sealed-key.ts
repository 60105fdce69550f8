import { type KeyObject, randomBytes } from 'node:crypto';
import { accountKey, accountKeyFromBase58 } from '../account-key.ts';
import { toBase58 } from '../base58.ts';
import { deny } from '../denial.ts';
import type { KeyProvider } from './key-provider.ts';
import { open, seal } from './sealed-box.ts';
import type { Secret } from './secret.ts';
import type { WalletKind } from './wallet-register.ts';
import { privateKeyFromSeed, publicKeyOf } from './wallet-key.ts';

// A wallet at rest. The payload (32-byte seed, then metadata as JSON) is sealed under a data key of this wallet alone;
// the data key is wrapped by the key provider. Both are bound to format, revision, environment, user, wallet and public
// key, so a row copied to another user does not open. The wrapping is bound to the key id as well; the payload is not,
// so that rotation re-wraps 32 bytes and never touches a seed.

export type Owner = { userId: string; walletId: string };

/** What travels as an opaque string. Only `data` and `key` are secret, and both are sealed. */
export type SealedKey = {
  v: 1;
  /** Counts password changes; the signer's log refuses any revision but the latest. */
  rev: number;
  env: string;
  pub: string;
  kek: string;
  key: string;
  data: string;
};

export type WalletMetadata = {
  /** Sealed in as well, so that a signer which lost its register still knows a strategy wallet. */
  kind: WalletKind;
  /** Empty for strategy wallets: no password opens them. */
  passwordHash: string;
  createdAt: number;
  /** By whatever way. */
  passwordChangedAt: number | null;
  /** The last time without the old password. */
  passwordResetAt: number | null;
  /** What the first reset of the last days replaced, so that the owner can undo it. */
  beforeReset?: { passwordHash: string; passwordResetAt: number | null; at: number };
};

export class SealedKeyVault {
  readonly #keys: KeyProvider;
  readonly #environment: string;

  constructor(keys: KeyProvider, environment: string) {
    this.#keys = keys;
    this.#environment = environment;
  }

  create(owner: Owner, seed: Secret, metadata: WalletMetadata): { address: string; sealedKey: string } {
    return seed.consume((bytes) => {
      const address = toBase58(publicKeyOf(privateKeyFromSeed(bytes)));
      return { address, sealedKey: this.#seal(owner, address, 1, bytes, metadata) };
    });
  }

  /** Denies what is not a sealed key of this environment; it is not opened yet. */
  read(text: string): SealedKey {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      deny('ENVELOPE_INVALID', 'the sealed key is no JSON');
    }
    const sealedKey = parsed as SealedKey;
    const isWellFormed =
      typeof parsed === 'object' &&
      parsed !== null &&
      sealedKey.v === 1 &&
      Number.isSafeInteger(sealedKey.rev) &&
      sealedKey.rev > 0 &&
      [sealedKey.env, sealedKey.pub, sealedKey.kek, sealedKey.key, sealedKey.data].every(
        (part) => typeof part === 'string',
      );
    if (!isWellFormed) deny('ENVELOPE_INVALID', 'the sealed key has another form');
    if (sealedKey.env !== this.#environment) deny('ENVELOPE_INVALID', 'the sealed key belongs to another environment');
    return sealedKey;
  }

  /** The key for one use. The derived public key is compared with the stored one before anybody signs with it. */
  openKey(owner: Owner, sealedKey: SealedKey): KeyObject {
    const key = this.#openPayload(owner, sealedKey).consume((payload) => privateKeyFromSeed(payload));
    if (accountKey(publicKeyOf(key)) !== accountKeyFromBase58(sealedKey.pub))
      deny('ENVELOPE_INVALID', 'the key is not the one of the address');
    return key;
  }

  openMetadata(owner: Owner, sealedKey: SealedKey): WalletMetadata {
    return this.#openPayload(owner, sealedKey).consume(readMetadata);
  }

  /** The same key under new metadata and the next revision. */
  reseal(owner: Owner, sealedKey: SealedKey, change: (old: WalletMetadata) => WalletMetadata): string {
    return this.#openPayload(owner, sealedKey).consume((payload) =>
      this.#seal(owner, sealedKey.pub, sealedKey.rev + 1, payload, change(readMetadata(payload))),
    );
  }

  exportKey(owner: Owner, sealedKey: SealedKey): string {
    return this.#openPayload(owner, sealedKey).consume((payload) => {
      const secretKey = Buffer.concat([payload.subarray(0, 32), publicKeyOf(privateKeyFromSeed(payload))]);
      const privateKey = toBase58(secretKey);
      secretKey.fill(0);
      return privateKey;
    });
  }

  /** Opens what it answers: a sealed key that does not is never to take the place of one. */
  rewrap(owner: Owner, sealedKey: SealedKey): string {
    const done = this.#keys.rewrap(sealedKey.kek, Buffer.from(sealedKey.key, 'base64'), (keyId) =>
      this.#aad(owner, sealedKey.pub, sealedKey.rev, keyId),
    );
    if (done === null) deny('ENVELOPE_INVALID', 'the data key does not open');
    const rewrapped: SealedKey = { ...sealedKey, kek: done.keyId, key: done.wrapped.toString('base64') };
    this.openKey(owner, rewrapped);
    return JSON.stringify(rewrapped);
  }

  #openPayload(owner: Owner, sealedKey: SealedKey): Secret {
    const wrapped = Buffer.from(sealedKey.key, 'base64');
    const wrapAad = this.#aad(owner, sealedKey.pub, sealedKey.rev, sealedKey.kek);
    const dataKey = this.#keys.unwrap(sealedKey.kek, wrapped, wrapAad);
    if (dataKey === null) deny('ENVELOPE_INVALID', 'the data key does not open');
    const payloadAad = this.#aad(owner, sealedKey.pub, sealedKey.rev, null);
    const payload = dataKey.consume((key) => open(key, Buffer.from(sealedKey.data, 'base64'), payloadAad));
    return payload ?? deny('ENVELOPE_INVALID', 'the payload does not open');
  }

  #seal(owner: Owner, address: string, revision: number, seed: Buffer, metadata: WalletMetadata): string {
    const dataKey = randomBytes(32);
    const plain = Buffer.concat([seed.subarray(0, 32), Buffer.from(JSON.stringify(metadata), 'utf8')]);
    try {
      const data = seal(dataKey, plain, this.#aad(owner, address, revision, null));
      const { keyId, wrapped } = this.#keys.wrap(dataKey, (id) => this.#aad(owner, address, revision, id));
      const sealedKey: SealedKey = {
        v: 1,
        rev: revision,
        env: this.#environment,
        pub: address,
        kek: keyId,
        key: wrapped.toString('base64'),
        data: data.toString('base64'),
      };
      return JSON.stringify(sealedKey);
    } finally {
      dataKey.fill(0);
      plain.fill(0);
    }
  }

  /** No part can contain the separator: ids, environment, base58 and key ids are all checked at the door. */
  #aad(owner: Owner, address: string, revision: number, keyId: string | null): Buffer {
    const parts = [`1.${revision}`, this.#environment, owner.userId, owner.walletId, address];
    if (keyId !== null) parts.push(keyId);
    return Buffer.from(parts.join('|'), 'utf8');
  }
}

function readMetadata(payload: Buffer): WalletMetadata {
  const metadata = JSON.parse(payload.toString('utf8', 32)) as Omit<WalletMetadata, 'kind'> & { kind?: WalletKind };
  // Payloads of version 0.1 do not tell a reset from a change with the old password: the careful reading.
  const { passwordResetAt = metadata.passwordChangedAt } = metadata as Partial<WalletMetadata>;
  return { ...metadata, kind: metadata.kind ?? 'personal', passwordResetAt };
}
