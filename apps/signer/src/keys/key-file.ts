import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { replaceFile } from '../storage/durable-file.ts';
import type { KeyProvider } from './key-provider.ts';
import { open, seal } from './sealed-box.ts';
import type { Secret } from './secret.ts';

type KeyFileContent = {
  current: string;
  keys: Record<string, string>;
  /** They open nothing. Only somebody at the file puts one back among `keys`, and only he removes one for good. */
  retired?: Record<string, RetiredKey>;
};
type RetiredKey = { key: string; at: string };

/** Of the file, with those that are retired: whoever has an operator's token does not fill the disk. */
const KEYS_MAX = 1_000;

/**
 * Key-encryption keys in a file of mode 0600. Rotation adds a key and makes it current; older ones stay
 * until the operator retires them, so that a rotation may stop and resume at any sealed key. A retired key stays in the
 * file: no call makes a wallet's key unrecoverable, whoever has an operator's token.
 */
export class KeyFile implements KeyProvider {
  readonly #path: string;
  readonly #keys = new Map<string, KeyObject>();
  readonly #retired: Map<string, RetiredKey>;
  #currentKeyId: string;

  private constructor(path: string, content: KeyFileContent) {
    this.#path = path;
    for (const [keyId, text] of Object.entries(content.keys)) {
      const bytes = Buffer.from(text, 'base64');
      if (bytes.length !== 32) throw new Error(`key ${keyId} of the key file is damaged`);
      this.#keys.set(keyId, createSecretKey(bytes));
      bytes.fill(0);
    }
    if (!this.#keys.has(content.current)) throw new Error('the key file has no current key');
    this.#retired = new Map(Object.entries(content.retired ?? {}));
    this.#currentKeyId = content.current;
  }

  /** `mayCreate` is false once there is a log: a lost key file must stop us, not be papered over by a new key. */
  static open(path: string, mayCreate: boolean): KeyFile {
    if (!existsSync(path)) {
      if (!mayCreate) throw new Error('the key file is missing although this signer has been in use');
      const keyId = newKeyId(new Set());
      replaceFile(path, JSON.stringify({ current: keyId, keys: { [keyId]: randomBytes(32).toString('base64') } }));
    }
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return new KeyFile(path, read(path));
  }

  get currentKeyId(): string {
    return this.#currentKeyId;
  }

  /** For the signing threads of this process. */
  entries(): [string, KeyObject][] {
    return [...this.#keys];
  }

  keyIds(): string[] {
    return [...this.#keys.keys()];
  }

  rotate(): string {
    const taken = new Set([...this.#keys.keys(), ...this.#retired.keys()]);
    if (taken.size >= KEYS_MAX) throw new Error(`the key file has ${KEYS_MAX} keys: remove retired ones by hand`);
    const keyId = newKeyId(taken);
    const key = createSecretKey(randomBytes(32));
    this.#save(keyId, new Map([...this.#keys, [keyId, key]]), this.#retired);
    return keyId;
  }

  /** After this, sealed keys still under the key open only once somebody puts it back among the keys of the file. */
  retire(keyId: string, now: number): void {
    const key = keyId === this.#currentKeyId ? undefined : this.#keys.get(keyId);
    if (key === undefined) throw new Error('only an older key can be retired');
    const kept = { key: key.export().toString('base64'), at: new Date(now).toISOString() };
    this.#save(
      this.#currentKeyId,
      new Map([...this.#keys].filter(([id]) => id !== keyId)),
      new Map([...this.#retired, [keyId, kept]]),
    );
  }

  wrap(dataKey: Buffer, aad: (keyId: string) => Buffer): { keyId: string; wrapped: Buffer } {
    const keyId = this.#currentKeyId;
    return { keyId, wrapped: seal(this.#keys.get(keyId)!, dataKey, aad(keyId)) };
  }

  unwrap(keyId: string, wrapped: Buffer, aad: Buffer): Secret | null {
    const key = this.#keys.get(keyId);
    return key === undefined ? null : open(key, wrapped, aad);
  }

  rewrap(keyId: string, wrapped: Buffer, aad: (keyId: string) => Buffer): { keyId: string; wrapped: Buffer } | null {
    const dataKey = this.unwrap(keyId, wrapped, aad(keyId));
    return dataKey === null ? null : dataKey.consume((bytes) => this.wrap(bytes, aad));
  }

  #save(current: string, keys: Map<string, KeyObject>, retired: Map<string, RetiredKey>): void {
    const content: KeyFileContent = {
      current,
      keys: Object.fromEntries([...keys].map(([id, key]) => [id, key.export().toString('base64')])),
      retired: Object.fromEntries(retired),
    };
    replaceFile(this.#path, JSON.stringify(content));
    this.#keys.clear();
    for (const [id, key] of keys) this.#keys.set(id, key);
    for (const [id, key] of retired) this.#retired.set(id, key);
    this.#currentKeyId = current;
  }
}

function newKeyId(taken: ReadonlySet<string>): string {
  for (;;) {
    const keyId = `k${randomBytes(4).toString('hex')}`;
    if (!taken.has(keyId)) return keyId;
  }
}

/** Without the parser's words, which repeat a part of what it could not read. */
function read(path: string): KeyFileContent {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text) as KeyFileContent;
  } catch {
    throw new Error(`the key file ${path} is damaged`);
  }
}
